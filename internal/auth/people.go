package auth

import (
	"time"

	"github.com/google/uuid"

	"fatureihoje/internal/db"
)

// Company is a tenant as its people see and change it.
type Company struct {
	ID        uuid.UUID
	Name      string
	Document  *string // CPF or CNPJ, without punctuation
	TimeZone  string  // IANA name
	Mode      string  // live or test
	Status    string  // active or suspended
	SandboxOf *uuid.UUID
	CreatedAt time.Time
	UpdatedAt time.Time
	Version   int64
}

// The modes of a company.
const (
	ModeLive = "live"
	ModeTest = "test" // a sandbox
)

// Colleague is a person's place in a company as those who manage it see it.
type Colleague struct {
	ID          uuid.UUID
	LoginID     uuid.UUID
	Name        string
	Email       string
	Role        string
	Permissions db.Texts // of the role member; the others have all
	Active      bool
	CreatedAt   time.Time
	UpdatedAt   time.Time
	Version     int64
}

// isOwner reports that the colleague counts as one of the company's owners.
func (c Colleague) isOwner() bool { return c.Active && c.Role == RoleOwner }

// manages reports that the role carries every permission.
func manages(role string) bool { return role == RoleOwner || role == RoleAdmin }

// Membership is one company that a person may enter.
type Membership struct {
	TenantID uuid.UUID
	MemberID uuid.UUID
	Name     string
	Mode     string
}

// login is a person's sign-in; it stands outside the tenants.
type login struct {
	ID              uuid.UUID
	Email           string // normalised
	PasswordHash    string
	TOTPSecret      []byte     `gorm:"column:totp_secret"` // sealed
	TOTPConfirmedAt *time.Time `gorm:"column:totp_confirmed_at"`
	TOTPLastStep    *int64     `gorm:"column:totp_last_step"`
	SessionEpoch    int        // sessions of another epoch have ended
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// SignedIn is a session as its person sees it.
type SignedIn struct {
	ID          uuid.UUID
	MemberID    uuid.UUID
	LoginID     uuid.UUID
	LoginEpoch  int
	UserAgent   string
	IP          string
	CreatedAt   time.Time
	RefreshedAt time.Time
	ExpiresAt   time.Time
	EndedAt     *time.Time
	EndedReason *string
}

// Why a session ended.
const (
	endedSignedOut    = "signed_out"
	endedByOwner      = "ended"
	endedReuse        = "refresh_reused"
	endedPassword     = "password_changed"
	endedDeactivation = "member_deactivated"
)
