package dashboard

import (
	"cmp"
	"net/url"
	"strconv"
	"time"
)

// The agenda by weeks, from Monday to Sunday in the company's time zone.

const (
	weekPath  = "/agenda/semana"
	weekParam = "semana" // a day of the week that is shown
	daysShown = 7

	workdayBegins = 9 // the hour at which a new appointment of a day begins
)

// week is what the page shows.
type week struct {
	days    []weekDay
	present bool // it is the one of today
	people  []choice
	person  string // whose appointments, "" for all
}

// weekDay is one day of it, with the appointments that begin then.
type weekDay struct {
	begins       time.Time
	today        bool
	appointments []object
	fresh        url.Values // begins the form of a new one
}

func weekPage(v *visit) (*reply, error) {
	if _, err := v.me(); err != nil {
		return nil, err
	}
	shown, err := v.week(v.r.URL.Query())
	if err != nil {
		return nil, err
	}
	return show("Agenda da semana", weekPath, weekBody(v, appointmentPages(), shown))
}

func (v *visit) week(query url.Values) (shown week, err error) {
	now := v.d.conf.Clock.Now().In(v.zone())
	monday := mondayOf(now)
	if given, err := time.ParseInLocation(time.DateOnly, query.Get(weekParam), v.zone()); err == nil {
		monday = mondayOf(given)
	}
	shown.person = query.Get("assignee_member_id")
	if shown.people, err = v.chooseFrom(memberSource(), shown.person); err != nil {
		return shown, err
	}
	shown.people[0].text = "Todos"
	for n := range daysShown {
		day := weekDay{begins: dayAfter(monday, n)}
		day.today = day.begins.Equal(dayAfter(now, 0))
		day.fresh = beginAt(day, now, shown.person)
		shown.days = append(shown.days, day)
		shown.present = shown.present || day.today
	}
	return shown, v.fillWeek(&shown)
}

// fillWeek reads the appointments of a week. Each stands on the day on which it begins.
func (v *visit) fillWeek(shown *week) error {
	query := url.Values{
		"starts_from": {shown.days[0].begins.Format(time.RFC3339)}, "starts_to": {dayAfter(shown.days[0].begins, daysShown).Format(time.RFC3339)},
		"sort": {"starts_at"}, "order": {"asc"},
	}
	if shown.person != "" {
		query.Set("assignee_member_id", shown.person)
	}
	res := appointmentPages()
	found, err := readAll(v, res.list, query)
	if err != nil {
		return err
	}
	for _, o := range found {
		for n := range shown.days {
			if at := v.momentOf(o, "starts_at"); dayAfter(at, 0).Equal(shown.days[n].begins) {
				shown.days[n].appointments = append(shown.days[n].appointments, o)
			}
		}
	}
	return v.learnNames(res.columns, found)
}

// momentOf is an instant of a record, in the company's time zone.
func (v *visit) momentOf(o object, member string) time.Time {
	t, err := time.Parse(time.RFC3339, o.text(member))
	if err != nil {
		return time.Time{}
	}
	return t.In(v.zone())
}

// dayAfter is the beginning of the day n days after t. A day is not always 24 hours long.
func dayAfter(t time.Time, n int) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day()+n, 0, 0, 0, 0, t.Location())
}

func mondayOf(t time.Time) time.Time { return dayAfter(t, -(int(t.Weekday())+6)%7) }

// beginAt is what a new appointment of a day begins with: an hour of the
// morning, or the next one of today.
func beginAt(day weekDay, now time.Time, person string) url.Values {
	hour := workdayBegins
	if day.today {
		hour = max(hour, min(now.Hour()+1, 23))
	}
	at := func(hour int) string {
		return time.Date(day.begins.Year(), day.begins.Month(), day.begins.Day(), hour, 0, 0, 0, day.begins.Location()).Format(time.RFC3339)
	}
	begun := url.Values{"starts_at": {at(hour)}, "ends_at": {at(hour + 1)}}
	if person != "" {
		begun.Set("assignee_member_id", person)
	}
	return begun
}

// at is the address of the week that is some weeks away.
func (w week) at(weeks int) string {
	query := url.Values{weekParam: {dayAfter(w.days[0].begins, weeks*daysShown).Format(time.DateOnly)}}
	return w.address(query)
}

// now is the address of the week of today.
func (w week) now() string { return w.address(url.Values{}) }

func (w week) address(query url.Values) string {
	if w.person != "" {
		query.Set("assignee_member_id", w.person)
	}
	if len(query) == 0 {
		return weekPath
	}
	return weekPath + "?" + query.Encode()
}

// title is the week in words: 30 de novembro a 6 de dezembro de 2026.
func (w week) title() string {
	first, last := w.days[0].begins, w.days[len(w.days)-1].begins
	from := strconv.Itoa(first.Day())
	if first.Month() != last.Month() {
		from += " de " + monthWord(first)
	}
	if first.Year() != last.Year() {
		from += " de " + strconv.Itoa(first.Year())
	}
	return from + " a " + strconv.Itoa(last.Day()) + " de " + monthWord(last) + " de " + strconv.Itoa(last.Year())
}

func monthWord(t time.Time) string {
	return []string{
		"janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro",
	}[t.Month()-1]
}

func weekdayWord(t time.Time) string {
	return []string{"Domingo", "Segunda", "Terça", "Quarta", "Quinta", "Sexta", "Sábado"}[t.Weekday()]
}

// hours are when an appointment begins and ends. One that ends on another day says so.
func (v *visit) hours(o object) string {
	from, to := v.momentOf(o, "starts_at"), v.momentOf(o, "ends_at")
	if !dayAfter(from, 0).Equal(dayAfter(to, 0)) {
		return from.Format("15:04") + " – " + to.Format("15:04 (02/01)")
	}
	return from.Format("15:04") + " – " + to.Format("15:04")
}

// tone is that of an appointment's state, which its edge repeats.
func appointmentTone(o object) string {
	return cmp.Or(appointmentWords()[o.text("status")].tone, "quiet")
}
