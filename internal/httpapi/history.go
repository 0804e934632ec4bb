package httpapi

import (
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/history"
	"fatureihoje/internal/page"
)

// HistoryEntry is one change of a record's status on the wire.
type HistoryEntry struct {
	At     time.Time    `json:"at"`
	Action string       `json:"action"`
	From   *string      `json:"from"`
	To     string       `json:"to"`
	Reason *string      `json:"reason"`
	Actor  HistoryActor `json:"actor"`
}

// HistoryActor is who made a change.
type HistoryActor struct {
	Type string     `json:"type" enum:"api_key,member,public_link,job"`
	ID   *uuid.UUID `json:"id"`
	Name string     `json:"name"`
}

// ToHistoryEntry converts a change to its wire form.
func ToHistoryEntry(e history.Entry) HistoryEntry {
	return HistoryEntry{
		At: e.At, Action: e.Action, From: e.From, To: e.To, Reason: e.Reason,
		Actor: HistoryActor{Type: e.ActorType, ID: e.ActorID, Name: e.ActorName},
	}
}

// HistoryPage converts a page of changes, or passes its error on.
func HistoryPage(result page.Result[history.Entry], err error) (page.Result[HistoryEntry], error) {
	return page.Map(result, ToHistoryEntry), err
}
