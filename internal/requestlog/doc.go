// Package requestlog keeps what was asked of the public API and what was
// answered: one row for each request that carried a tenant's API key, for 30
// days, and its counts by the hour.
//
// What always holds: a request is neither slowed nor failed by its row. Rows
// wait in a bounded queue and are written in batches; when the queue is full
// they are dropped and counted. No body is stored, and query parameters that
// hold people's data are masked.
package requestlog
