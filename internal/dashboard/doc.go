// Package dashboard is what a company's people see at /: pages in Brazilian
// Portuguese, rendered here, that read and write through the same routes as the
// two APIs.
//
// A page makes calls (httpapi.API.Call) for the person in its session. So it has
// no rules of its own: permissions, validation with its messages, the slowing of
// sign-ins and idempotency are the routes'. A form carries a hidden key, made and signed
// when it was rendered; the call that it becomes is claimed under that key in
// the space of the member, so that a double click, or a form that is sent again
// from the browser's history, runs once and shows the same result. The
// signature also proves that the form was rendered for this session.
//
// What always holds: every text is escaped (templ); nothing is written for a
// request from another origin; no inline script or style is allowed; what shows
// a secret is neither stored nor cached.
package dashboard

//go:generate templ generate
//go:generate sh -c "cd assets && npm ci --no-progress --silent && node build.mjs"
