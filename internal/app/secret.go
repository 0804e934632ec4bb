package app

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// secretFile holds the secret that was generated for the embedded mode.
const secretFile = "secret-key"

// loadSecret returns the data folder's secret in base64, making it at the first
// start. Losing it ends all sessions and makes stored provider credentials
// unreadable, so it is never made anew while the file is there.
func loadSecret(dataDir string) (string, error) {
	path := filepath.Join(dataDir, secretFile)
	text, err := os.ReadFile(path)
	if err == nil {
		return string(text), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the secret key: %w", err)
	}
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails: it ends the program instead
	secret := base64.StdEncoding.EncodeToString(raw)
	if err := writeOnce(path, secret); err != nil {
		return "", fmt.Errorf("keep the secret key: %w", err)
	}
	return loadSecret(dataDir)
}

// writeOnce writes a private file whole, or leaves the one that another process
// has written meanwhile.
func writeOnce(path, text string) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), secretFile+"-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temporary.Name()) }()
	_, err = temporary.WriteString(text)
	if err = errors.Join(err, temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	if err := os.Link(temporary.Name(), path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
