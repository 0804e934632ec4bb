package finance

import (
	"time"

	"fatureihoje/internal/civil"
)

// isBusinessDay reports whether banks are open in Brazil: not on Saturdays and
// Sundays, on national holidays (Laws 662/1949, 6.802/1980, 10.607/2002 and
// 14.759/2023), nor on the Monday and Tuesday of Carnival, Good Friday and
// Corpus Christi, which FEBRABAN's calendar of bank holidays adds. Holidays of a
// state or a city are not known here.
func isBusinessDay(d civil.Date) bool {
	switch d.Weekday() {
	case time.Saturday, time.Sunday:
		return false
	}
	return !isFixedHoliday(d) && !isMovableHoliday(d)
}

func isFixedHoliday(d civil.Date) bool {
	switch (monthDay{d.Month, d.Day}) {
	case monthDay{time.January, 1}, // Confraternização Universal
		monthDay{time.April, 21},    // Tiradentes
		monthDay{time.May, 1},       // Dia do Trabalho
		monthDay{time.September, 7}, // Independência
		monthDay{time.October, 12},  // Nossa Senhora Aparecida
		monthDay{time.November, 2},  // Finados
		monthDay{time.November, 15}, // Proclamação da República
		monthDay{time.December, 25}: // Natal
		return true
	case monthDay{time.November, 20}: // Consciência Negra, national since Law 14.759/2023
		return d.Year >= 2024
	}
	return false
}

type monthDay struct {
	month time.Month
	day   int
}

// Days from Easter Sunday to the holidays that move with it.
const (
	carnivalMonday  = -48
	carnivalTuesday = -47
	goodFriday      = -2
	corpusChristi   = 60
)

func isMovableHoliday(d civil.Date) bool {
	sunday := easter(d.Year)
	for _, days := range []int{carnivalMonday, carnivalTuesday, goodFriday, corpusChristi} {
		if sunday.AddDays(days) == d {
			return true
		}
	}
	return false
}

// easter is Easter Sunday of a year of the Gregorian calendar, by the algorithm
// of Meeus, Jones and Butcher (Nature, 20 April 1876).
func easter(year int) civil.Date {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 19*l) / 433
	n := h + l - 7*m
	month := (n + 90) / 25
	day := (n + 33*month + 19) % 32
	return civil.Date{Year: year, Month: time.Month(month), Day: day}
}
