package civil

import (
	"sort"
	"time"
)

// aDay is more than any zone is away from UTC. A zone changes its offset at most
// once within two of them, so one change at most is near a midnight.
const aDay = 24 * time.Hour

// In is the first instant of the day in loc. That is midnight where the day has
// one. Where summer time skipped it, as in São Paulo on 2018-11-04, it is the
// moment after the gap, 01:00; where the clock went back over it, the first of
// the two. A day that a zone left out altogether begins where the next one does.
//
// Filters take the instants from d.In(loc) up to, not including,
// d.AddDays(1).In(loc): every instant is then in exactly one day.
//
// Time.ZoneBounds would find the gap, but its end may lie before the instant
// asked about in leap years (golang/go#81583). time.Date promises neither side
// of a gap.
func (d Date) In(loc *time.Location) time.Time {
	midnight := d.utc()
	before, after := offset(midnight.Add(-aDay), loc), offset(midnight.Add(aDay), loc)
	byBefore, byAfter := midnight.Add(-before), midnight.Add(-after)
	switch {
	case offset(byBefore, loc) == before:
		return byBefore.In(loc)
	case offset(byAfter, loc) == after:
		return byAfter.In(loc)
	}
	return firstWith(after, byAfter, byBefore.Sub(byAfter), loc)
}

// firstWith finds the second, within the span after start, at which the offset
// of loc changes to want.
func firstWith(want time.Duration, start time.Time, span time.Duration, loc *time.Location) time.Time {
	seconds := sort.Search(int(span/time.Second), func(n int) bool {
		return offset(start.Add(time.Duration(n)*time.Second), loc) == want
	})
	return start.Add(time.Duration(seconds) * time.Second).In(loc)
}

// offset is how far loc is ahead of UTC at the instant t.
func offset(t time.Time, loc *time.Location) time.Duration {
	_, seconds := t.In(loc).Zone()
	return time.Duration(seconds) * time.Second
}
