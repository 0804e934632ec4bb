package embedded

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestStart_ClusterLivesOutsideAClosedFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "var")
	t.Cleanup(func() { must(t, Remove(dir)) })

	s := startTest(t, dir)
	addNote(t, s.URL(), "kept")
	home := filepath.Dir(scan(t, s.URL(), "SHOW data_directory"))
	stop(t, s)

	if os.Geteuid() != 0 {
		equal(t, "home of a plain user's cluster", home, dir)
		return
	}
	note, err := os.ReadFile(locationFile(dir))
	must(t, err)
	equal(t, "noted folder", strings.TrimSpace(string(note)), home)
	equal(t, "in the data folder", strings.HasPrefix(home, dir), false)
	equal(t, "rows", notes(t, startTest(t, dir).URL()), "kept")
}

func TestStart_SetsAsideAnOutsideClusterWhoseDataFolderWasDeleted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "var")
	account, err := chooseAccount()
	must(t, err)
	must(t, makeFolder(dir))
	home, err := makeOutsideHome(dir, account, testLog(t))
	if err != nil && os.Geteuid() != 0 {
		return // a plain user has no such folders
	}
	must(t, err)
	t.Cleanup(func() { must(t, Remove(dir)) })
	must(t, os.WriteFile(filepath.Join(home, "precious"), nil, 0o600))
	must(t, os.Remove(locationFile(dir)))

	again, err := makeOutsideHome(dir, account, testLog(t))

	must(t, err)
	equal(t, "folder", again, home)
	equal(t, "precious in the new one", exists(filepath.Join(home, "precious")), false)
	aside, _ := filepath.Glob(home + ".old-*/precious")
	equal(t, "set aside", len(aside), 1)
	for _, file := range aside {
		must(t, os.RemoveAll(filepath.Dir(file)))
	}
}

func TestRemove_NothingThere(t *testing.T) {
	t.Parallel()

	must(t, Remove(filepath.Join(t.TempDir(), "never made")))
}

// The tests above, as a plain user: its clusters need no other account.
func TestStart_AsPlainUser(t *testing.T) {
	if os.Geteuid() != 0 {
		return // then every test here does
	}
	t.Parallel()
	dir, err := os.MkdirTemp("", "fh-embedded-user-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	nobody := &syscall.Credential{Uid: 65534, Gid: 65534}
	must(t, os.Chown(dir, int(nobody.Uid), int(nobody.Gid)))
	binary := filepath.Join(dir, "embedded.test")
	copyProgram(t, os.Args[0], binary)

	cmd := exec.Command(binary, "-test.v", "-test.run=KeepsRows|AdoptsALive|StarterIsKilled|ClosedFolder|SomeoneElses")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: nobody}
	out, err := cmd.CombinedOutput()

	t.Logf("%s", out)
	must(t, err)
	equal(t, "tests that passed", strings.Count(string(out), "--- PASS"), 5)
}

func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	source, err := os.Open(from)
	must(t, err)
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE, 0o755)
	must(t, err)
	_, err = io.Copy(target, source)
	must(t, errors.Join(err, target.Close()))
}
