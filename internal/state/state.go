// Package state is the table form of a status: which action leads from where to
// where. One table yields the check, the `allowed` list of the refusal, and the
// documentation.
package state

import (
	"slices"

	"fatureihoje/internal/problem"
)

// Transition is one row of a machine: an action leads from any of these
// statuses to another.
type Transition struct {
	Action string
	From   []string
	To     string
}

// Machine is the whole table of a resource's status.
type Machine []Transition

// Next returns the status that an action leads to, or an invalid_state problem
// that names the status now and the actions that it allows.
func (m Machine) Next(action, current string) (string, error) {
	for _, t := range m {
		if t.Action == action && slices.Contains(t.From, current) {
			return t.To, nil
		}
	}
	return "", m.Refuse(current)
}

// Refuse is the problem of an action that the status does not allow.
func (m Machine) Refuse(current string) *problem.Error {
	return &problem.Error{Code: problem.InvalidState, Current: current, Allowed: m.Allowed(current)}
}

// Member is a member of a PATCH that a final status does not let change any more.
type Member struct {
	Pointer string
	Sent    bool
}

// Frozen refuses the members that were sent: a PATCH of a record whose status
// is final. Each is named beside the status and the actions that it allows.
func (m Machine) Frozen(current string, members ...Member) error {
	refusal := m.Refuse(current)
	for _, member := range members {
		if member.Sent {
			refusal.Fields = append(refusal.Fields, problem.Field{Pointer: member.Pointer, Code: "frozen", Detail: problem.T(
				"A situação atual não permite alterar este campo.", "The current status does not let this member change.")})
		}
	}
	if refusal.Fields == nil {
		return nil
	}
	return refusal
}

// Allowed lists the actions of a status, in the order of the table.
func (m Machine) Allowed(current string) []string {
	actions := []string{}
	for _, t := range m {
		if slices.Contains(t.From, current) && !slices.Contains(actions, t.Action) {
			actions = append(actions, t.Action)
		}
	}
	return actions
}
