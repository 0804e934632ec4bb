package auth

import (
	"context"
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/audit"
	"fatureihoje/internal/db"
	"fatureihoje/internal/etag"
	"fatureihoje/internal/id"
	"fatureihoje/internal/page"
	"fatureihoje/internal/problem"
)

// Keys is the management of API keys.
//
// What always holds: a key has no scope that its maker or the member it
// represents lacks at that moment; a plain member manages only keys that
// represent that member; a line has at most two living generations.
type Keys struct{}

// NewKeys returns the service.
func NewKeys() *Keys { return &Keys{} }

const keyResource = "api_key"

// Create makes an API key. The token is its secret, for the one answer that
// shows it.
func (k *Keys) Create(ctx context.Context, tx *db.Tx, n NewKey) (*IssuedKey, Token, error) {
	caller := CallerFrom(ctx)
	now, err := databaseNow(ctx, tx)
	if err != nil {
		return nil, Token{}, err
	}
	key := IssuedKey{
		ID: id.New(), MemberID: caller.Member.ID, Generation: 1, Name: n.Name, Scopes: n.Scopes, ExpiresAt: n.ExpiresAt,
		RequireIdempotencyKey: n.RequireIdempotencyKey, At: now,
	}
	key.LineID = key.ID
	if n.MemberID != nil {
		key.MemberID = *n.MemberID
	}
	var f problem.Fields
	checkScopes(&f, n.Scopes)
	checkExpiry(&f, n.ExpiresAt, now)
	key.AllowedIPs = networks(&f, n.AllowedIPs)
	if err := f.Err(); err != nil {
		return nil, Token{}, err
	}
	if err := k.mayIssue(ctx, tx, &key); err != nil {
		return nil, Token{}, err
	}
	token, err := k.issue(ctx, tx, &key, n.Token)
	audit.Record(ctx, tx, audit.Event{Action: "api_key.created", Resource: keyResource, ResourceID: key.ID, Details: map[string]any{
		"name": key.Name, "scopes": key.Scopes, "member": key.MemberID,
	}})
	return &key, token, err
}

// issue gives a key its secret, and writes it.
func (k *Keys) issue(ctx context.Context, tx *db.Tx, key *IssuedKey, given *Token) (Token, error) {
	token := given
	if token == nil {
		made := NewToken(keyKind(CallerFrom(ctx).Tenant.Mode), tx.TenantID())
		token = &made
	}
	hash := token.Hash()
	key.Hint, key.SecretHash = token.Hint(), hash[:]
	key.CreatedBy, key.CreatedAt, key.UpdatedAt, key.Version = CallerFrom(ctx).Member.ID, tx.Now(), tx.Now(), 1
	return *token, insertKey(ctx, tx, key)
}

func keyKind(mode string) Kind {
	if mode == ModeTest {
		return TestKey
	}
	return LiveKey
}

// Get returns an API key that the caller manages.
func (k *Keys) Get(ctx context.Context, r db.Reader, keyID uuid.UUID) (*IssuedKey, error) {
	key, err := getKey(ctx, r, keyID)
	if err != nil {
		return nil, err
	}
	return key, mustManage(ctx, key)
}

// List returns a page of the API keys that the caller manages.
func (k *Keys) List(ctx context.Context, r db.Reader, f KeyFilter) (page.Result[IssuedKey], error) {
	if caller := CallerFrom(ctx); !manages(caller.Member.Role) {
		if f.MemberID != uuid.Nil && f.MemberID != caller.Member.ID {
			return page.Result[IssuedKey]{}, nil
		}
		f.MemberID = caller.Member.ID
	}
	return listKeys(ctx, r, f)
}

// Spaces returns the ids of the API keys that the caller manages: each is a
// space of idempotency keys.
func (k *Keys) Spaces(ctx context.Context, r db.Reader) ([]uuid.UUID, error) {
	caller := CallerFrom(ctx)
	if manages(caller.Member.Role) {
		return keyIDs(ctx, r, uuid.Nil)
	}
	return keyIDs(ctx, r, caller.Member.ID)
}

// Update changes a living API key, if its version satisfies match.
func (k *Keys) Update(ctx context.Context, tx *db.Tx, keyID uuid.UUID, match etag.Match, ch KeyChanges) (*IssuedKey, error) {
	line, err := k.lockLine(ctx, tx, keyID)
	if err != nil {
		return nil, err
	}
	key := line.asked
	if err := match.Check(key.Version); err != nil {
		return nil, err
	}
	if err := key.refuseDead(); err != nil {
		return nil, err
	}
	var f problem.Fields
	key.apply(ch, &f)
	if err := f.Err(); err != nil {
		return nil, err
	}
	if ch.Scopes.IsSet() {
		if err := k.mayIssue(ctx, tx, key); err != nil {
			return nil, err
		}
	}
	audit.Record(ctx, tx, audit.Event{Action: "api_key.updated", Resource: keyResource, ResourceID: key.ID, Details: map[string]any{
		"name": key.Name, "scopes": key.Scopes,
	}})
	return key, k.save(ctx, tx, key)
}

// Revoke ends a living API key now. The older one in its grace ends with the
// newer one.
func (k *Keys) Revoke(ctx context.Context, tx *db.Tx, keyID uuid.UUID) (*IssuedKey, error) {
	line, err := k.lockLine(ctx, tx, keyID)
	if err != nil {
		return nil, err
	}
	key := line.asked
	if err := key.refuseDead(); err != nil {
		return nil, err
	}
	audit.Record(ctx, tx, audit.Event{Action: "api_key.revoked", Resource: keyResource, ResourceID: key.ID})
	for _, older := range line.living {
		if older.Generation < key.Generation {
			older.end(older.At, endedRevoked)
			if err := k.save(ctx, tx, older); err != nil {
				return nil, err
			}
		}
	}
	key.EndsAt, key.EndedReason = &key.At, new(endedRevoked)
	return key, k.save(ctx, tx, key)
}

// Rotation is a new generation of a line, with the one that it replaces.
type Rotation struct {
	Key      *IssuedKey
	Previous *IssuedKey
	Token    Token
}

// Rotate makes the next generation of a living API key, with the same name,
// scopes, member, expiry and limits and an empty space of idempotency keys. The
// key asked for ends now, or after the grace. While an older one is in its
// grace only the newer one can be rotated, and only without grace: both end.
func (k *Keys) Rotate(ctx context.Context, tx *db.Tx, keyID uuid.UUID, grace time.Duration) (*Rotation, error) {
	line, err := k.lockLine(ctx, tx, keyID)
	if err != nil {
		return nil, err
	}
	old := line.asked
	if err := old.refuseDead(); err != nil {
		return nil, err
	}
	if old.State() == KeyEnding || len(line.living) > 1 && grace > 0 {
		return nil, problem.Conflicting("rotation_pending", problem.T(
			"A chave anterior ainda está no prazo de carência. Espere o fim dele, ou rotacione a mais nova sem carência.",
			"The older key is still in its grace period. Wait for its end, or rotate the newer one without grace."))
	}
	if err := k.mayIssue(ctx, tx, old); err != nil {
		return nil, err
	}
	for _, key := range line.living {
		key.end(key.At.Add(grace), endedRotated)
		if err := k.save(ctx, tx, key); err != nil {
			return nil, err
		}
	}
	return k.succeed(ctx, tx, old, line.newest+1, grace)
}

func (k *Keys) succeed(ctx context.Context, tx *db.Tx, old *IssuedKey, generation int, grace time.Duration) (*Rotation, error) {
	next := *old
	next.ID, next.Generation, next.EndsAt, next.EndedReason = id.New(), generation, nil, nil
	next.LastUsedAt, next.LastIP = nil, nil
	token, err := k.issue(ctx, tx, &next, nil)
	audit.Record(ctx, tx, audit.Event{Action: "api_key.rotated", Resource: keyResource, ResourceID: next.ID, Details: map[string]any{
		"previous": old.ID, "grace_seconds": int64(grace / time.Second),
	}})
	return &Rotation{Key: &next, Previous: old, Token: token}, err
}

// line is the generations of one key, locked.
type line struct {
	asked  *IssuedKey
	living []*IssuedKey // asked too, if it lives
	newest int
}

// lockLine locks every generation of a key's line, in one order, and only then
// reads them: of rotations at the same moment the second sees what the first
// has done.
func (k *Keys) lockLine(ctx context.Context, tx *db.Tx, keyID uuid.UUID) (*line, error) {
	key, err := k.Get(ctx, tx, keyID)
	if err != nil {
		return nil, err
	}
	keys, err := lineForUpdate(ctx, tx, key.LineID)
	if err != nil {
		return nil, err
	}
	l := &line{}
	for i := range keys {
		l.newest = max(l.newest, keys[i].Generation)
		if keys[i].Lives() {
			l.living = append(l.living, &keys[i])
		}
		if keys[i].ID == keyID {
			l.asked = &keys[i]
		}
	}
	if l.asked == nil {
		return nil, problem.Missing()
	}
	return l, nil
}

func (k *Keys) save(ctx context.Context, tx *db.Tx, key *IssuedKey) error {
	key.UpdatedAt, key.Version = tx.Now(), key.Version+1
	return updateKey(ctx, tx, key)
}

// mayIssue checks that the caller may make a key like this: for this member,
// and with these scopes, which the caller and the member both have.
func (k *Keys) mayIssue(ctx context.Context, tx *db.Tx, key *IssuedKey) error {
	caller := CallerFrom(ctx)
	if key.MemberID != caller.Member.ID {
		if err := caller.Require(Manage); err != nil {
			return err
		}
	}
	m, err := getMember(ctx, tx, key.MemberID)
	if problem.Is(err, problem.NotFound) || err == nil && !m.Active {
		return problem.Invalid(problem.UnknownReference("/member_id"))
	}
	if err != nil {
		return err
	}
	represented := Member{Role: m.Role, Permissions: m.Permissions}
	for _, p := range key.Scopes {
		if err := caller.Require(p); err != nil {
			return err
		}
		if !represented.Has(p) {
			return &problem.Error{Code: problem.Forbidden, RequiredPermission: p, LackedBy: "member"}
		}
	}
	return nil
}

// mustManage hides the keys of others from a plain member.
func mustManage(ctx context.Context, key *IssuedKey) error {
	caller := CallerFrom(ctx)
	if manages(caller.Member.Role) || key.MemberID == caller.Member.ID {
		return nil
	}
	return problem.Missing()
}
