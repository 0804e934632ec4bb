// Package crm owns what a tenant has to follow up: leads, tasks and appointments.
//
// What always holds: a lead that is converted names the client that it became,
// and one that is lost says why; a task refers to at most one other record; two
// live appointments of one member overlap only where one of them says that it
// may. A status moves only along its machine, and every move stays in the
// history.
//
// Locks are taken in the order member, then the record itself, then what it
// newly refers to.
package crm
