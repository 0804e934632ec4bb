// Package clients owns the people and companies that a tenant sells to, and
// their addresses.
//
// What always holds: a document belongs to one active client of the tenant; a
// client has at most 20 addresses, and one default of each kind; an archived
// client stays readable, and in every document that names it.
package clients
