package embedded

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// site is where the cluster of a data folder lives and who runs it.
type site struct {
	dataDir string // absolute, without symbolic links
	home    string // holds postgres-<major> and the downloaded binaries
	account account
	log     *slog.Logger
}

func (s site) clusterDir(major int) string {
	return filepath.Join(s.home, "postgres-"+strconv.Itoa(major))
}

// makeDataDir returns the folder's one true name, so that two spellings of it
// meet at the same lock and the same cluster.
func makeDataDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("data folder: %w", err)
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := makeFolder(dir); err != nil {
			return "", fmt.Errorf("make data folder: %w", err)
		}
	}
	dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("data folder: %w", err)
	}
	return dir, nil
}

// makeFolder makes a private folder; root's can be passed through, as the
// server runs as another user. What is secret in it has its own mode.
func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if os.Geteuid() == 0 {
		return os.Chmod(dir, 0o711)
	}
	return nil
}

// locate finds where the cluster of dataDir is, or is to be. What exists
// decides: a cluster never moves, and its owner runs it.
func locate(dataDir string, log *slog.Logger) (site, error) {
	s := site{dataDir: dataDir, home: dataDir, log: log}
	noted, err := notedHome(dataDir, log)
	if err != nil {
		return site{}, err
	}
	if noted != "" {
		s.home = noted
	}
	if major := s.existingMajor(); major != 0 {
		s.account, err = ownerAccount(s.clusterDir(major))
		return s, err
	}
	if s.account, err = chooseAccount(); err != nil {
		return site{}, err
	}
	if s.account.canEnter(s.home) {
		return s, nil
	}
	s.home, err = makeOutsideHome(dataDir, s.account, log)
	return s, err
}

// existingMajor is the newest version with a cluster here, 0 when there is none.
func (s site) existingMajor() int {
	found, _ := fs.Glob(os.DirFS(s.home), "postgres-*/PG_VERSION")
	newest := 0
	for _, file := range found {
		suffix := strings.TrimPrefix(filepath.Dir(file), "postgres-")
		if major, err := strconv.Atoi(suffix); err == nil && major > newest {
			newest = major
		}
	}
	return newest
}

func locationFile(dataDir string) string { return filepath.Join(dataDir, "postgres-location") }

// notedHome is the folder outside dataDir that an earlier start noted, empty if
// there is none or it has been deleted since.
func notedHome(dataDir string, log *slog.Logger) (string, error) {
	note, err := os.ReadFile(locationFile(dataDir))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("location note: %w", err)
	}
	home := strings.TrimSpace(string(note))
	if _, err := os.Stat(home); err != nil { //nolint:gosec // the note is our own, in a folder that only its owner writes to
		log.Warn("the noted database folder is gone, beginning with an empty one", "folder", home, "error", err)
		return "", nil
	}
	return home, nil
}

// makeOutsideHome makes a folder that the account can reach, and notes it in
// the data folder. Its name derives from the data folder's path: one data folder
// can't fill the disk with clusters that nobody knows of.
func makeOutsideHome(dataDir string, a account, log *slog.Logger) (string, error) {
	sum := sha256.Sum256([]byte(dataDir))
	name := "fatureihoje-" + hex.EncodeToString(sum[:8])
	var problems []error
	for _, parent := range []string{"/var/lib", "/var/tmp"} {
		home := filepath.Join(parent, name)
		if err := makeOwnFolder(home, log); err != nil {
			problems = append(problems, err)
			continue
		}
		if !a.canEnter(home) {
			problems = append(problems, errors.Join(fmt.Errorf("%s can't enter %s", a.name, parent), os.Remove(home)))
			continue
		}
		log.Info("the data folder is closed to the database's user: the cluster lives outside", "folder", home, "user", a.name, "data_dir", dataDir)
		return home, writeFile(locationFile(dataDir), []byte(home+"\n"))
	}
	return "", fmt.Errorf("no place for the cluster that %s can reach: %w", a.name, errors.Join(problems...))
}

// makeOwnFolder makes dir new. One that is there but not noted in the data
// folder outlived it (someone deleted the data folder to begin anew): its
// password is lost, so it is set aside, not used and not deleted.
func makeOwnFolder(dir string, log *slog.Logger) error {
	err := os.Mkdir(dir, 0o711)
	if errors.Is(err, fs.ErrExist) && os.Remove(dir) != nil {
		aside := dir + ".old-" + rand.Text()[:8]
		if err := os.Rename(dir, aside); err != nil {
			return err
		}
		log.Warn("an older database of the same data folder was set aside; delete it if it is not needed", "folder", aside)
	}
	if errors.Is(err, fs.ErrExist) {
		err = os.Mkdir(dir, 0o711)
	}
	if err != nil {
		return err
	}
	return os.Chmod(dir, 0o711)
}

// Remove deletes a data folder and the cluster that belongs to it, also where
// the cluster lives outside. For tests; it refuses while a server runs on it.
func Remove(dataDir string) error {
	dataDir, err := filepath.Abs(dataDir)
	if err != nil {
		return fmt.Errorf("remove embedded postgres: %w", err)
	}
	s := site{dataDir: dataDir, home: dataDir}
	if noted, err := notedHome(dataDir, slog.New(slog.DiscardHandler)); err == nil && noted != "" {
		s.home = noted
	}
	dir := s.clusterDir(s.existingMajor())
	if pm, ok := readPostmaster(dir); ok && servesFolder(pm.pid, dir) {
		return fmt.Errorf("remove embedded postgres: %w: process %d still runs on %s", syscall.EBUSY, pm.pid, dir)
	}
	return errors.Join(os.RemoveAll(s.home), os.RemoveAll(dataDir))
}

// writeFile replaces a private file in one step: a reader, or a start after a
// crash, sees the old content or the new.
func writeFile(path string, content []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".tmp-")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, writeErr := temp.Write(content)
	if err := errors.Join(writeErr, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
