package httpapi

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"reflect"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"fatureihoje/internal/auth"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/id"
	"fatureihoje/internal/idempotency"
	"fatureihoje/internal/jsonval"
	"fatureihoje/internal/origin"
	"fatureihoje/internal/problem"
)

// exchange is one request on its way to its answer.
type exchange struct {
	api       *API
	route     *Route
	w         http.ResponseWriter
	r         *http.Request
	requestID string
	ip        string
	english   bool

	request    reflect.Value // the typed request, with its path's ids
	credential auth.Credential
	body       []byte
	value      *jsonval.Value
	key        string           // the idempotency key, "" without one
	hint       idempotency.Hint // of key, once it was claimed
	preview    bool             // nothing of it stays: see Call

	conn    *db.Conn
	caller  *auth.Caller
	attempt *idempotency.Attempt // nil without a key, or before the claim is ours

	// What the request log is told of.
	began    time.Time
	status   int
	code     string // of the problem that was answered
	replayed bool
}

// handler serves a route. It is the order of the answers, step by step.
func (a *API) handler(route Route) echo.HandlerFunc {
	return func(c echo.Context) error {
		x := a.exchange(c, &route)
		span := x.startSpan()
		defer func() { x.endSpan(span) }()
		defer x.recoverPanic()
		request, exists := route.request.newRequest(c.Param)
		if !exists {
			x.fail(problem.Missing())
			return nil
		}
		x.request = request
		x.serve()
		return nil
	}
}

func (a *API) exchange(c echo.Context, route *Route) *exchange {
	r := c.Request()
	x := &exchange{
		api: a, route: route, w: c.Response(), r: r, ip: a.client(r), english: wantsEnglish(r), began: a.conf.Clock.Now(),
	}
	x.requestID = requestID(r)
	x.w.Header().Set("X-Request-Id", x.requestID)
	return x
}

func (x *exchange) serve() {
	if declaredTooLarge(x.r) {
		x.fail(&problem.Error{Code: problem.RequestTooLarge})
		return
	}
	if err := x.judge(); err != nil {
		x.fail(err)
		return
	}
	ctx, cancel := x.context()
	defer cancel()
	if x.route.kind == kindOpen {
		x.serveOpen(ctx)
		return
	}
	bodyErr := x.read()
	conn, err := x.api.conf.Pool.Acquire(ctx)
	if err != nil {
		x.fail(unavailable(err))
		return
	}
	x.conn = conn
	defer x.release()
	x.serveWith(ctx, bodyErr)
}

// release gives the connection back, once.
func (x *exchange) release() {
	if x.conn != nil {
		x.conn.Release()
		x.conn = nil
	}
}

// judge refuses what needs neither the body nor the database.
func (x *exchange) judge() error {
	if x.route.kind == kindOpen {
		return x.limitOpen()
	}
	credential, err := x.parseCredential()
	if err != nil {
		return err
	}
	x.credential = credential
	return x.limit(x.api.limits, credential.RateKey())
}

// limitOpen slows sign-ins and their like by the client's address; the service
// behind them slows by account too.
func (x *exchange) limitOpen() error {
	if !x.route.Login {
		return nil
	}
	return x.limit(x.api.logins, x.ip)
}

// context is the request's own for a read. A write outlives its client: it goes
// on to its end, and the repetition is a replay.
func (x *exchange) context() (context.Context, context.CancelFunc) {
	ctx := x.r.Context()
	if x.route.kind == kindWrite {
		ctx = context.WithoutCancel(ctx)
	}
	return context.WithTimeout(ctx, x.api.conf.RequestTimeout)
}

// read reads the body and the idempotency key. Its error is answered only after
// the caller is known.
func (x *exchange) read() error {
	body, err := readBody(x.r)
	if err != nil {
		return err
	}
	if x.route.Method == http.MethodGet || x.route.Method == http.MethodDelete {
		return nil // their body, within the limit, does nothing
	}
	if err := checkMediaType(x.r, body); err != nil {
		return err
	}
	value, err := parseBody(body)
	if err != nil {
		return err
	}
	x.body, x.value = body, value
	if x.route.keyed() {
		return x.readKey()
	}
	return nil
}

// readKey reads the Idempotency-Key header. A look-alike is refused: a slip
// that silently removes the protection must not pass.
func (x *exchange) readKey() error {
	key, present, err := idempotency.ParseKey(x.r.Header.Values("Idempotency-Key"))
	if err != nil {
		return invalidKey(err)
	}
	if other := idempotency.LookAlike(x.r.Header); !present && other != "" {
		return &problem.Error{Code: problem.IdempotencyKeyInvalid, Reason: "look_alike", Detail: problem.Tf(
			"O cabeçalho %s não tem efeito. Envie a chave em Idempotency-Key.",
			"The header %s has no effect. Send the key in Idempotency-Key.", other)}
	}
	x.key = key
	return nil
}

func invalidKey(err error) error {
	p := &problem.Error{Code: problem.IdempotencyKeyInvalid}
	var keyErr *idempotency.KeyError
	if errors.As(err, &keyErr) {
		p.Reason = keyErr.Reason
	}
	return p
}

// serveWith runs the request on its connection.
func (x *exchange) serveWith(ctx context.Context, bodyErr error) {
	outcome, err := x.admit(ctx, bodyErr)
	if err != nil {
		x.refuse(ctx, err)
		return
	}
	if outcome != nil {
		x.release()
		x.writeOutcome(*outcome, true)
		return
	}
	done, err := x.execute(ctx)
	if err != nil {
		x.refuse(ctx, err)
		return
	}
	x.release()
	x.writeOutcome(done, false)
}

// execute decodes the request, runs the handler, and commits, again where the
// database asks for that.
func (x *exchange) execute(ctx context.Context) (idempotency.Outcome, error) {
	ctx = x.decorate(ctx)
	if err := x.decode(); err != nil {
		return idempotency.Outcome{}, err
	}
	return x.perform(ctx, func(ctx context.Context, tx *db.Tx) (idempotency.Outcome, error) {
		response, err := x.route.run(ctx, tx, x.request)
		if err != nil {
			return idempotency.Outcome{}, err
		}
		return x.encode(response)
	})
}

// perform runs work in the open transaction and commits its outcome.
func (x *exchange) perform(ctx context.Context, work func(context.Context, *db.Tx) (idempotency.Outcome, error)) (idempotency.Outcome, error) {
	const attempts = 3
	for n := 1; ; n++ {
		outcome, err := x.performOnce(ctx, work)
		if err == nil || n == attempts || !db.Retryable(err) {
			return outcome, err
		}
		if err := x.begin(ctx); err != nil {
			return idempotency.Outcome{}, err
		}
	}
}

// begin opens the transaction again after an attempt that was rolled back.
func (x *exchange) begin(ctx context.Context) error {
	if err := x.conn.Rollback(ctx); err != nil {
		return err
	}
	var b db.Batch
	x.open(&b, x.caller.Tenant.ID)
	return x.conn.Send(ctx, &b)
}

// previewLockTimeout is how long a preview waits for a lock. What waits behind
// it, and the page that asked, are better served by an answer.
const previewLockTimeout = 2 * time.Second

// open adds to b the beginning of the transaction that the handler runs in.
func (x *exchange) open(b *db.Batch, tenant uuid.UUID) {
	x.conn.Begin(b, tenant)
	if x.preview {
		b.LockTimeout(previewLockTimeout)
	}
}

func (x *exchange) performOnce(ctx context.Context, work func(context.Context, *db.Tx) (idempotency.Outcome, error)) (idempotency.Outcome, error) {
	tx := x.conn.Adopt(x.caller.Tenant.ID)
	outcome, err := work(ctx, tx)
	if err != nil {
		return idempotency.Outcome{}, err
	}
	if x.preview {
		return outcome, tx.Rehearse(ctx)
	}
	var last db.Batch
	if x.attempt != nil {
		x.attempt.Complete(&last, outcome)
	}
	err = tx.Commit(ctx, &last)
	if x.attempt != nil && idempotency.Fenced(err) {
		x.attempt = nil // another's now: nothing of ours is left to release
		return idempotency.Outcome{}, idempotency.InProgress()
	}
	if x.attempt != nil && err == nil {
		x.api.conf.Idempotency.Remember(x.hint)
	}
	return outcome, err
}

// decorate puts what handlers may ask for into the context.
func (x *exchange) decorate(ctx context.Context) context.Context {
	ctx = auth.WithCaller(ctx, x.caller)
	ctx = origin.With(ctx, x.origin())
	if x.route.list {
		ctx = withCursors(ctx, x.cursors())
	}
	return ctx
}

func (x *exchange) origin() origin.Origin {
	o := origin.Origin{Type: origin.Member, ID: x.caller.Member.ID, Name: x.caller.Member.Name, RequestID: x.requestID, IP: x.ip, UserAgent: x.r.UserAgent()}
	if x.caller.APIKey != nil {
		o.Type, o.ID, o.Name = origin.APIKey, x.caller.APIKey.ID, x.caller.APIKey.Name
	}
	return o
}

// cursors binds the cursors of a list to the tenant, the list, its filters and its order.
func (x *exchange) cursors() cursors {
	query := x.r.URL.Query()
	query.Del("cursor")
	query.Del("limit")
	return cursors{x.api.conf.Cursors, x.caller.Tenant.ID.String() + " " + x.r.URL.Path + "?" + query.Encode()}
}

// decode fills the typed request; all that is wrong with it comes at once.
func (x *exchange) decode() error {
	var f problem.Fields
	plan := x.route.request
	if x.value != nil {
		plan.decodeBody(&f, x.value, x.request)
	}
	if x.route.Method == http.MethodGet {
		plan.decodeRawQuery(&f, x.r.URL.RawQuery, x.request)
	}
	if plan.ifMatch != nil {
		x.request.FieldByIndex(plan.ifMatch).Set(reflect.ValueOf(etag.ParseMatch(x.r.Header.Values("If-Match"))))
	}
	if err := f.Err(); err != nil {
		return err
	}
	return x.openCursor()
}

func (x *exchange) openCursor() error {
	plan := x.route.request
	if plan.page == nil {
		return nil
	}
	params := x.request.FieldByIndex(plan.page).Addr().Interface().(*PageParams)
	if params.Cursor == "" {
		return nil
	}
	c := x.cursors()
	position, err := c.signer.Decode(c.binding, params.Cursor)
	if err != nil {
		return &problem.Error{Code: problem.InvalidRequest, Reason: "cursor"}
	}
	params.Page.After = &position
	return nil
}

// refuse ends a request without an outcome: the transaction is rolled back and
// the key freed before the answer leaves.
func (x *exchange) refuse(ctx context.Context, err error) { x.fail(x.abandon(ctx, err)) }

// abandon undoes what was begun, and returns the error to answer.
func (x *exchange) abandon(ctx context.Context, err error) error {
	err = unavailable(err)
	if x.attempt != nil {
		x.free(ctx, problem.As(err).Status() >= http.StatusInternalServerError)
	}
	x.release()
	return err
}

// releaseTimeout bounds the release of a key; where it does not succeed the
// reservation lapses by itself.
const releaseTimeout = 5 * time.Second

func (x *exchange) free(ctx context.Context, began bool) {
	attempt := x.attempt
	x.attempt = nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	err := x.freeHere(ctx, attempt, began)
	if err != nil {
		err = x.freeElsewhere(ctx, attempt, began)
	}
	if err != nil {
		x.api.conf.Log.WarnContext(ctx, "idempotency key not released; its reservation will lapse", "request_id", x.requestID, "error", err)
	}
}

// freeHere releases the key over the request's own connection, unless a panic
// has given that back already.
func (x *exchange) freeHere(ctx context.Context, attempt *idempotency.Attempt, began bool) error {
	if x.conn == nil {
		return db.ErrUnavailable
	}
	if err := x.conn.Rollback(ctx); err != nil {
		return err
	}
	var b db.Batch
	attempt.Release(&b, began)
	return x.conn.SendAsync(ctx, attempt.Tenant(), &b)
}

// freeElsewhere releases the key over another connection, when our own is lost.
func (x *exchange) freeElsewhere(ctx context.Context, attempt *idempotency.Attempt, began bool) error {
	x.release()
	conn, err := x.api.conf.Pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var b db.Batch
	attempt.Release(&b, began)
	return conn.SendAsync(ctx, attempt.Tenant(), &b)
}

// unavailable turns the database's absence into the answer that says so.
func unavailable(err error) error {
	var p *problem.Error
	if errors.As(err, &p) || !db.Unavailable(err) {
		return err
	}
	return &problem.Error{Code: problem.ServiceUnavailable, RetryAfter: 2 * time.Second, Cause: err}
}

// serveOpen runs a route without a credential.
func (x *exchange) serveOpen(ctx context.Context) {
	if err := x.read(); err != nil {
		x.fail(err)
		return
	}
	response, err := x.runOpen(ctx)
	if err != nil {
		x.fail(unavailable(err))
		return
	}
	outcome, err := x.encode(response)
	if err != nil {
		x.fail(err)
		return
	}
	x.writeOutcome(outcome, false)
}

func requestID(r *http.Request) string {
	given := r.Header.Get("X-Request-Id")
	if given == "" || len(given) > 128 || strings.ContainsFunc(given, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return id.New().String()
	}
	return given
}

func wantsEnglish(r *http.Request) bool {
	language, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(language)), "en")
}

func parseIP(s string) netip.Addr {
	addr, err := netip.ParseAddr(s)
	if err != nil {
		return netip.IPv4Unspecified()
	}
	return addr.Unmap()
}
