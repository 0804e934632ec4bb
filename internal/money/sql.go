package money

import (
	"fmt"
	"strconv"
)

// numericText is the text of a numeric column as drivers hand it over. A float
// is refused: it means a column of the wrong type, and its digits are gone.
func numericText(src any) (string, error) {
	switch v := src.(type) {
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	}
	return "", fmt.Errorf("scan %T as numeric", src)
}
