package problem

// FieldText returns the text of a field error whose code needs no arguments.
// ok is false for a code that is not registered.
func FieldText(code string) (t Text, ok bool) {
	t, ok = fieldTexts[code]
	return t, ok
}

// Coded is an error of a value package that names its code.
type Coded interface{ Code() string }

// FieldOf turns an error of a value package into the error of a member.
func FieldOf(pointer string, err error) Field {
	code := "invalid"
	if c, ok := err.(Coded); ok {
		code = c.Code()
	}
	t, ok := fieldTexts[code]
	if !ok {
		t = T("Valor inválido.", "Invalid value.")
	}
	return Field{Pointer: pointer, Code: code, Detail: t}
}

// fieldTexts is never written after the package is initialised.
var fieldTexts = map[string]Text{ //nolint:gochecknoglobals // a table, read only
	"required":          T("Campo obrigatório.", "Required member."),
	"null":              T("Este campo não aceita null.", "This member does not take null."),
	"unknown_member":    T("Campo desconhecido.", "Unknown member."),
	"unknown_parameter": T("Parâmetro desconhecido.", "Unknown parameter."),
	"repeated":          T("Parâmetro repetido.", "Repeated parameter."),
	"invalid":           T("Valor inválido.", "Invalid value."),
	"control_character": T("O texto contém um caractere de controle que não é aceito.", "The text has a control character that is not accepted."),
	"invisible":         T("O texto não tem caractere visível.", "The text has no visible character."),
	"not_unique":        T("Valor repetido na lista.", "Repeated value in the list."),
	"unknown_reference": T("Não existe registro com este id.", "No record has this id."),
	"uuid":              T("Informe um UUID.", "Give a UUID."),
	"date":              T("Informe uma data no formato AAAA-MM-DD.", "Give a date as YYYY-MM-DD."),
	"instant":           T("Informe um instante RFC 3339, como 2026-01-31T15:04:05-03:00.", "Give an RFC 3339 instant, such as 2026-01-31T15:04:05-03:00."),
	"future":            T("A data não pode estar no futuro.", "The date cannot be in the future."),

	"document_length":       T("Um CPF tem 11 dígitos; um CNPJ tem 14 caracteres.", "A CPF has 11 digits; a CNPJ has 14 characters."),
	"document_check_digits": T("Os dígitos verificadores não conferem.", "The check digits do not match."),
	"document_repeated":     T("Documento com todos os dígitos iguais não é válido.", "A document of equal digits is not valid."),
	"document_characters":   T("O documento tem caracteres que não são aceitos.", "The document has characters that are not accepted."),
	"phone_invalid":         T("Informe o telefone com DDD, ou em formato internacional começando por +.", "Give the phone with its area code, or in international form beginning with +."),
	"phone_area_code":       T("O DDD não existe.", "The area code does not exist."),

	"postal_code_invalid":        T("Informe um CEP de 8 dígitos.", "Give a CEP of 8 digits."),
	"state_invalid":              T("Informe a sigla de um estado, como SP.", "Give a state's two letters, such as SP."),
	"state_registration_invalid": T("Informe até 14 letras ou dígitos, ou ISENTO.", "Give up to 14 letters or digits, or ISENTO."),
	"city_code":                  T("Informe o código IBGE do município, 7 dígitos.", "Give the city's IBGE code, 7 digits."),
	"gtin_invalid":               T("Um GTIN tem 8, 12, 13 ou 14 dígitos.", "A GTIN has 8, 12, 13 or 14 digits."),
	"gtin_check_digit":           T("O dígito verificador do GTIN não confere.", "The GTIN's check digit does not match."),
	"ncm_invalid":                T("Um NCM tem 8 dígitos.", "An NCM has 8 digits."),
	"email_format":               T("Informe um e-mail, como ana@example.com.", "Give an e-mail, such as ana@example.com."),
	"email_length":               T("O e-mail é longo demais.", "The e-mail is too long."),
	"email_local":                T("A parte antes do @ não é válida.", "The part before the @ is not valid."),
	"email_domain":               T("O domínio do e-mail não é válido.", "The e-mail's domain is not valid."),

	"number_syntax":   T("Informe um número decimal, com ponto.", "Give a decimal number, with a point."),
	"quantity_places": T("Até 4 casas decimais.", "Up to 4 decimal places."),
	"quantity_range":  T("A quantidade deve ser maior que zero e caber em 9 dígitos.", "The quantity must be above zero and fit in 9 digits."),
	"percent_places":  T("Até 2 casas decimais.", "Up to 2 decimal places."),
	"percent_range":   T("O percentual vai de 0 a 100.", "The percentage goes from 0 to 100."),
	"money_fraction":  T("Informe centavos inteiros.", "Give whole centavos."),
	"money_range":     T("O valor passa de 99.999.999.999 centavos.", "The amount is over 99,999,999,999 centavos."),
	"money_sign":      T("O valor não pode ter sinal.", "The amount cannot have a sign."),
}
