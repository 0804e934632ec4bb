package civil

// Error is a refusal. Its value is the stable code that integrators see.
type Error string

// What Parse reports.
const (
	ErrFormat Error = "date_format"
	ErrDay    Error = "date_day"
	ErrRange  Error = "date_range"
)

// What Divide reports.
const (
	ErrBeforeStart Error = "before_start"
	ErrTooLong     Error = "too_long"
)

// Code returns the stable code of the refusal.
func (e Error) Code() string { return string(e) }

// Error returns the reason in English, for logs and developers.
func (e Error) Error() string {
	switch e {
	case ErrFormat:
		return "date is not written YYYY-MM-DD"
	case ErrDay:
		return "date does not exist in the calendar"
	case ErrRange:
		return "date is not between the years 1900 and 2200"
	case ErrBeforeStart:
		return "time ends before it starts"
	case ErrTooLong:
		return "time has more days or months than a report covers"
	}
	return string(e)
}
