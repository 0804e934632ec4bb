package dashboard

import (
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"fatureihoje/internal/httpapi"
	"fatureihoje/internal/problem"
)

// A task's checklist: its steps are typed one a line, and ticked on the task's page.

// stepsAnchor is where a task's page shows its steps.
const stepsAnchor = "#passos"

func checklistField() formField {
	return formField{
		input: input{name: "checklist", label: "Passos", area: true, hint: "Um por linha. O que já foi marcado continua marcado."},
		show: func(_ *visit, o object) string {
			var lines []string
			for _, step := range o.all("checklist") {
				lines = append(lines, step.text("title"))
			}
			return strings.Join(lines, "\n")
		},
		as: func(v *visit, text string) (any, error) { return readSteps(v.record.all("checklist"), text), nil },
	}
}

// readSteps are the lines of a text, ticked where a step of the same words was.
// A step that was reworded in its place keeps its tick too.
func readSteps(before []object, text string) []M {
	steps, taken := []M{}, map[int]bool{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			steps = append(steps, M{"title": line})
		}
	}
	keep := func(step M, n int) {
		taken[n], step["done"] = true, isDone(before[n])
	}
	for _, step := range steps {
		if n := untaken(before, taken, step["title"].(string)); n >= 0 {
			keep(step, n)
		}
	}
	for n, step := range steps {
		if _, known := step["done"]; !known && len(steps) == len(before) && !taken[n] {
			keep(step, n)
		}
	}
	return steps
}

func untaken(before []object, taken map[int]bool, title string) int {
	for n, step := range before {
		if !taken[n] && step.text("title") == title {
			return n
		}
	}
	return -1
}

func isDone(step object) bool { return step["done"] == true }

// stepsDone tells how far a task's checklist is, "" without one.
func stepsDone(task object) string {
	steps := task.all("checklist")
	if len(steps) == 0 {
		return ""
	}
	done := 0
	for _, step := range steps {
		if isDone(step) {
			done++
		}
	}
	return strconv.Itoa(done) + " de " + strconv.Itoa(len(steps))
}

func stepsSection(v *visit, res resource, o object) (templ.Component, error) {
	if len(o.all("checklist")) == 0 {
		return nil, nil //nolint:nilnil // nothing to see
	}
	return stepsBody(v, o, v.who.may(res.write) && !res.final(o)), nil
}

// tickStep ticks one step of a task, or takes its tick away. What the step is
// already stays so, which makes a second click harmless.
func tickStep(v *visit) (*reply, error) {
	res := taskPages()
	o, etag, err := res.load(v)
	if err != nil {
		return nil, err
	}
	steps, done := o.all("checklist"), v.form.Get("feito") == "true"
	n, err := strconv.Atoi(v.form.Get("passo"))
	if err != nil || n < 0 || n >= len(steps) || steps[n].text("title") != v.form.Get("texto") {
		return nil, &problem.Error{Code: problem.Conflict, Detail: problem.T(
			"Os passos mudaram depois que a página foi aberta. Nada foi gravado: recarregue a página.", "The steps have changed since the page was opened.")}
	}
	if isDone(steps[n]) != done {
		steps = slices.Clone(steps)
		steps[n] = object{"title": steps[n]["title"], "done": done}
		key, _, _ := strings.Cut(v.form.Get(formKeyField), ".")
		call := httpapi.Call{Route: res.update, IDs: []string{o.id()}, Key: key, IfMatch: etag}
		if _, err := v.send(call, M{"checklist": steps}); err != nil {
			return nil, err
		}
	}
	return goTo(res.page(o.id()) + stepsAnchor)
}
