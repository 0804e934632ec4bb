// Package app wires everything: configuration, database, services, routes,
// servers and background work. It is the only package that knows all others.
package app
