package brdoc

// Error is a refusal. Its value is the stable code that integrators see; it
// never holds the text that was refused, which may identify a person.
type Error string

// What the Parse functions report.
const (
	ErrDocumentCharacters  Error = "document_characters"
	ErrDocumentLength      Error = "document_length"
	ErrDocumentRepeated    Error = "document_repeated"
	ErrDocumentCheckDigits Error = "document_check_digits"

	ErrPostalCode        Error = "postal_code_invalid"
	ErrState             Error = "state_invalid"
	ErrStateRegistration Error = "state_registration_invalid"

	ErrPhone         Error = "phone_invalid"
	ErrPhoneAreaCode Error = "phone_area_code"

	ErrGTIN           Error = "gtin_invalid"
	ErrGTINCheckDigit Error = "gtin_check_digit"
	ErrNCM            Error = "ncm_invalid"
)

// Code returns the stable code of the refusal.
func (e Error) Code() string { return string(e) }

// Error returns the reason in English, for logs and developers.
func (e Error) Error() string {
	switch e {
	case ErrDocumentCharacters:
		return "document has a character or punctuation where none is meant"
	case ErrDocumentLength:
		return "document has neither 11 (CPF) nor 14 (CNPJ) characters"
	case ErrDocumentRepeated:
		return "document repeats a single digit"
	case ErrDocumentCheckDigits:
		return "document check digits do not match"
	case ErrPostalCode:
		return "postal code is not a CEP of 8 digits"
	case ErrState:
		return "state is not one of the 27 federative units"
	case ErrStateRegistration:
		return "state registration is neither 1 to 14 letters and digits nor ISENTO"
	case ErrPhone:
		return "phone is neither an international nor a Brazilian number"
	case ErrPhoneAreaCode:
		return "phone area code is not in use in Brazil"
	case ErrGTIN:
		return "GTIN does not have 8, 12, 13 or 14 digits"
	case ErrGTINCheckDigit:
		return "GTIN check digit does not match"
	case ErrNCM:
		return "NCM does not have 8 digits"
	}
	return string(e)
}
