package dashboard

import "strconv"

// flowBar is a time in a chart of money: what came in and went out, and what is
// still to, in cents.
type flowBar struct {
	label, title                  string
	cameIn, toCome, wentOut, toGo int64
}

// flowDrawing is a chart of money, and what it says to who does not see it.
type flowDrawing struct {
	name, summary string
	bars          []flowBar
	tells         bool // what is still to come and go, too
}

// flowColumn is a flowBar in the chart's own units.
type flowColumn struct {
	x, width                      float64
	label, title                  string
	cameIn, toCome, wentOut, toGo bar
}

type bar struct{ y, height float64 }

// minFlowStep is the least room for one time: a chart of many is wider than its
// place, which scrolls.
const minFlowStep = 11

// width is the drawing's, in its own units.
func (d flowDrawing) width() int {
	return max(chartWidth, chartLeft+chartRight+minFlowStep*len(d.bars))
}

// columns turns the times into columns and the chart's axis into marks. What is
// still to come stands on what came.
func (d flowDrawing) columns() (columns []flowColumn, marks []mark) {
	top := int64(1)
	for _, b := range d.bars {
		top = max(top, (b.cameIn+b.toCome)/100, (b.wentOut+b.toGo)/100)
	}
	top = roundUp(top)
	plot := float64(chartHeight - chartBottom - chartTop)
	scale := func(cents int64) float64 { return float64(cents) / 100 / float64(top) * plot }
	on := func(below, cents int64) bar {
		return bar{y: chartTop + plot - scale(below+cents), height: scale(cents)}
	}
	step := float64(d.width()-chartLeft-chartRight) / float64(max(len(d.bars), 1))
	for i, b := range d.bars {
		columns = append(columns, flowColumn{
			x: chartLeft + float64(i)*step + step*0.18, width: step * 0.3, label: b.label, title: b.title,
			cameIn: on(0, b.cameIn), toCome: on(b.cameIn, b.toCome), wentOut: on(0, b.wentOut), toGo: on(b.wentOut, b.toGo),
		})
	}
	for _, part := range []int64{0, 1, 2} {
		n := top * part / 2
		marks = append(marks, mark{y: chartTop + plot - float64(n)/float64(top)*plot, text: number(n)})
	}
	return columns, marks
}

// moneyText writes cents that were reckoned.
func moneyText(cents int64) string { return reais(strconv.FormatInt(cents, 10)) }
