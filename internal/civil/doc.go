// Package civil has the calendar date: a day as people write it, without an
// hour or a time zone. Due dates and birthdays are dates, so that no zone and no
// summer time can shift them. Which instants a date covers is only asked
// together with a zone, the tenant's.
package civil
