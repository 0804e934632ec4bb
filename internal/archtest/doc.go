// Package archtest reads the project's own source and fails where it breaks the
// architecture: who may import whom, and what only one package may use. It has
// nothing but tests.
package archtest
