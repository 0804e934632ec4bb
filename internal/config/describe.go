package config

import (
	"reflect"
	"strconv"
	"strings"
)

// Variable is one environment variable, as `api help` prints it.
type Variable struct {
	Name    string
	Default string
	Doc     string
}

// Variables lists every variable, in the order of the documentation.
func Variables() []Variable {
	var list []Variable
	for _, f := range fields() {
		list = append(list, Variable{Name: f.Tag.Get("env"), Default: f.Tag.Get("envDefault"), Doc: f.Tag.Get("doc")})
	}
	return list
}

// Masked returns the configuration as name=value lines that can be logged:
// secrets show only whether they are set.
func (c Config) Masked() []string {
	var lines []string
	v := reflect.ValueOf(c)
	for _, f := range fields() {
		value := strings.Trim(strings.ReplaceAll(valueText(v.FieldByIndex(f.Index)), "\n", " "), " ")
		if f.Tag.Get("secret") == "true" && value != "" {
			value = "***"
		}
		lines = append(lines, f.Tag.Get("env")+"="+value)
	}
	return lines
}

func valueText(v reflect.Value) string {
	if s, ok := v.Interface().(interface{ String() string }); ok {
		return s.String()
	}
	if list, ok := v.Interface().([]string); ok {
		return strings.Join(list, ",")
	}
	if v.CanInt() {
		return strconv.FormatInt(v.Int(), 10)
	}
	return v.String()
}

func fields() []reflect.StructField {
	var list []reflect.StructField
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		if name := f.Tag.Get("env"); name != "" && name != "-" {
			list = append(list, f)
		}
	}
	return list
}

// variableOf returns the variable that fills a field.
func variableOf(field string) string {
	for _, f := range fields() {
		if f.Name == field {
			return f.Tag.Get("env")
		}
	}
	return field
}
