package db

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
)

// AppURL lets RoleApp sign in to a database of our own, and returns its URL: a
// server that connects as the role need not take it in every transaction. The
// password follows from the owner's, so that every process finds the same.
func AppURL(ctx context.Context, ownerURL string) (string, error) {
	u, err := url.Parse(ownerURL)
	if err != nil {
		return "", errURL
	}
	owner, _ := u.User.Password()
	mac := hmac.New(sha256.New, []byte(owner))
	mac.Write([]byte(RoleApp))
	password := hex.EncodeToString(mac.Sum(nil))
	u.User = url.UserPassword(RoleApp, password)
	if conn, err := pgx.Connect(ctx, u.String()); err == nil {
		return u.String(), conn.Close(ctx)
	}
	conn, err := pgx.Connect(ctx, ownerURL)
	if err != nil {
		return "", fmt.Errorf("connect as the owner: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "ALTER ROLE "+RoleApp+" LOGIN PASSWORD '"+password+"'"); err != nil {
		return "", fmt.Errorf("let %s sign in: %w", RoleApp, err)
	}
	return u.String(), nil
}
