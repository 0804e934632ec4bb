// Package brdoc reads the identifiers that Brazilian businesses use: CPF and
// CNPJ, CEP, states and IBGE city codes, telephone numbers, state
// registrations, GTIN and NCM.
//
// Each Parse function takes what a person would type and returns one normal
// form, so that equal things are equal text in storage, search and uniqueness.
// Only ASCII is read: a full-width digit or a look-alike letter is refused, not
// guessed at. Outer white space is ignored. Refusals are values of Error.
package brdoc
