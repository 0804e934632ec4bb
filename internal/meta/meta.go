// Package meta is the metadata that integrators hang on a resource: pairs of
// strings of their own, which we keep and give back, and never read.
package meta

import (
	"maps"

	"fatureihoje/internal/opt"
	"fatureihoje/internal/problem"
)

// The limits of a resource's metadata. Lengths are in characters.
const (
	MaxPairs       = 50
	MaxNameLength  = 40
	MaxValueLength = 500
)

// Map is a resource's metadata.
type Map map[string]string

// Patch changes some pairs: a nil value removes its name.
type Patch map[string]*string

// Change returns m as the metadata of a PATCH leaves it: null clears it, an
// object changes the pairs that it names. m itself stays as it is.
func (m Map) Change(f opt.Field[Patch]) Map {
	if f.IsNull() {
		return Map{}
	}
	patch, _ := f.Value()
	return m.apply(patch)
}

// Validate refuses more pairs than a resource may have; pointer is the
// metadata's own.
func (m Map) Validate(pointer string, f *problem.Fields) {
	if len(m) > MaxPairs {
		f.Add(pointer, "too_many_items", problem.Tf("O máximo é de %d pares.", "The maximum is %d pairs.", MaxPairs))
	}
}

func (m Map) apply(p Patch) Map {
	merged := maps.Clone(m)
	if merged == nil {
		merged = Map{}
	}
	for name, value := range p {
		if value == nil {
			delete(merged, name)
			continue
		}
		merged[name] = *value
	}
	return merged
}
