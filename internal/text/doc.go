// Package text brings what people write to one form: the normal form that is
// stored, the search tokens made from it, and the form of an e-mail address.
//
// Its functions expect valid UTF-8, which the HTTP layer has checked.
package text
