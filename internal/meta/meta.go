// Package meta is the metadata that integrators hang on a resource: pairs of
// strings of their own, which we keep and give back, and never read.
package meta

import "maps"

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

// Apply returns m changed by p; m itself stays as it is.
func (m Map) Apply(p Patch) Map {
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
