package embedded

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func passwordFile(dataDir string) string { return filepath.Join(dataDir, "postgres-password") }

// readPassword is for a cluster that exists: without its password it is of no
// use, and a new one would not fit.
func readPassword(dataDir string) (string, error) {
	content, err := os.ReadFile(passwordFile(dataDir))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the cluster's password is gone: put it back, or move the folder postgres-<version> away to begin with an empty database: %w", err)
	}
	if err != nil {
		return "", fmt.Errorf("password: %w", err)
	}
	return strings.TrimSpace(string(content)), nil
}

// ensurePassword keeps the password of an attempt that was cut short.
func ensurePassword(dataDir string) (string, error) {
	if password, err := readPassword(dataDir); err == nil && password != "" {
		return password, nil
	}
	password := rand.Text()
	if err := writeFile(passwordFile(dataDir), []byte(password+"\n")); err != nil {
		return "", fmt.Errorf("write password: %w", err)
	}
	return password, nil
}
