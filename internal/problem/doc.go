// Package problem is the one error type that integrators see, and the registry
// of the codes it may carry.
//
// A problem is answered as application/problem+json (RFC 9457). Its code and
// its status never change once published; its texts, in Brazilian Portuguese
// and in English, may. Everything that a handler returns and that is not a
// *problem.Error is a 500 whose cause stays in the log.
package problem
