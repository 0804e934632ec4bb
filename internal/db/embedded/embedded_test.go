package embedded

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

func TestStart_KeepsRowsAcrossRestart(t *testing.T) {
	t.Parallel()
	dir := openDir(t)

	begun := time.Now()
	first := startWith(t, Options{DataDir: dir})
	t.Logf("cold start: %v", time.Since(begun))
	addNote(t, first.URL(), "kept")
	stop(t, first)
	<-first.Done()
	begun = time.Now()
	second := startWith(t, Options{DataDir: dir})
	t.Logf("warm start: %v", time.Since(begun))

	equal(t, "rows", notes(t, second.URL()), "kept")
	equal(t, "adopted", second.Adopted(), false)
}

func TestStart_MakesADurablePrivateCluster(t *testing.T) {
	t.Parallel()
	dir := openDir(t)

	s := startWith(t, Options{DataDir: dir, MaxConnections: 33})

	for setting, want := range map[string]string{
		"data_checksums": "on", "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on",
		"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "password_encryption": "scram-sha-256",
		"server_encoding": "UTF8", "max_connections": "33", "is_superuser": "on",
	} {
		equal(t, setting, scan(t, s.URL(), "SELECT current_setting('"+setting+"')"), want)
	}
	equal(t, "role and database", scan(t, s.URL(), "SELECT current_user || '@' || current_database()"), "fh_owner@fatureihoje")
	equal(t, "ways in without a password", scan(t, s.URL(), "SELECT count(*)::text FROM pg_hba_file_rules WHERE auth_method <> 'scram-sha-256'"), "0")
	equal(t, "collation", scan(t, s.URL(), "SELECT datcollate FROM pg_database WHERE datname = current_database()"), "C.UTF-8")
	equal(t, "mode of the cluster", modeOf(t, scan(t, s.URL(), "SHOW data_directory")), 0o700)
	equal(t, "mode of the password", modeOf(t, passwordFile(dir)), 0o600)
	equal(t, "mode of the log", modeOf(t, filepath.Join(dir, logName)), 0o600)
	if s.child == nil {
		t.Fatal("adopted a server in a new folder")
	}
	group, err := syscall.Getpgid(s.child.pid())
	must(t, err)
	equal(t, "process group", group, s.child.pid())
}

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	return info.Mode().Perm()
}

func TestStart_AdoptsALiveServer(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	first := startTest(t, dir)
	addNote(t, first.URL(), "shared")

	second := startTest(t, dir)

	equal(t, "adopted", second.Adopted(), true)
	equal(t, "url", second.URL(), first.URL())
	equal(t, "binaries", second.BinDir(), first.BinDir())
	stop(t, second)
	equal(t, "rows after the adopter's stop", notes(t, first.URL()), "shared")
	stop(t, first)
	equal(t, "adopted after the stop", startTest(t, dir).Adopted(), false)
}

// One server for what needs nothing but a live one: making it is what takes time.
func TestOnALiveServer(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	live := startTest(t, dir)
	addNote(t, live.URL(), "alive")

	t.Run("Start adopts it without its note", func(t *testing.T) {
		must(t, os.Remove(stateFile(dir)))

		second := startTest(t, dir)

		equal(t, "adopted", second.Adopted(), true)
		equal(t, "binaries", second.BinDir(), live.BinDir())
	})
	t.Run("Start refuses at once when the password does not fit", func(t *testing.T) {
		right, err := os.ReadFile(passwordFile(dir))
		must(t, err)
		must(t, os.WriteFile(passwordFile(dir), []byte("wrong\n"), 0o600))
		t.Cleanup(func() { must(t, os.WriteFile(passwordFile(dir), right, 0o600)) })

		_, err = Start(testContext(t), Options{DataDir: dir, Fresh: true})

		if err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v, want a refusal", err)
		}
		contains(t, err.Error(), "password authentication failed")
	})
	t.Run("Remove refuses", func(t *testing.T) {
		err := Remove(dir)

		equal(t, "is busy", errors.Is(err, syscall.EBUSY), true)
		equal(t, "rows", notes(t, live.URL()), "alive")
	})
}

func TestStart_RecoversAfterTheServerIsKilled(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	first := startWith(t, Options{DataDir: dir})
	addNote(t, first.URL(), "committed")

	must(t, first.child.process.Kill())
	<-first.Done()
	second := startWith(t, Options{DataDir: dir})

	equal(t, "rows", notes(t, second.URL()), "committed")
	equal(t, "adopted", second.Adopted(), false)

	addNote(t, second.URL(), "again")
	stopInNoTime(t, second)
	third := startWith(t, Options{DataDir: dir})
	equal(t, "rows after a stop cut short", notes(t, third.URL()), "committed again")
}

// stopInNoTime leaves no time for a fast shutdown.
func stopInNoTime(t *testing.T, s *Server) {
	t.Helper()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Stop(ended); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	<-s.Done()
}

func TestStart_RecoversAfterItsStarterIsKilled(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	starter := startHelper(t, dir)
	url := starter.answer(t).URL
	addNote(t, url, "committed")
	site := testSite(t, dir)
	cluster := site.clusterDir(site.existingMajor())
	orphan, ok := readPostmaster(cluster)
	equal(t, "has a process file", ok, true)

	starter.kill(t)
	begun := time.Now()
	s := startTest(t, dir)

	t.Logf("start after the kill: %v", time.Since(begun))
	equal(t, "rows", notes(t, s.URL()), "committed")
	equal(t, "adopted", s.Adopted(), false)
	equal(t, "the orphan runs", servesFolder(orphan.pid, cluster), false)
}

func TestStart_BeginsAgainAfterAKilledInitdb(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	attempts := func() []string {
		found, _ := filepath.Glob(filepath.Join(dir, "postgres-*"+attemptMark+"*", "data", "PG_VERSION"))
		return found
	}
	starter := startHelper(t, dir)
	eventually(t, "initdb begins", func() bool { return len(attempts()) > 0 })

	starter.kill(t)
	equal(t, "a cluster was made", testSite(t, dir).existingMajor(), 0)
	s := startTest(t, dir)

	addNote(t, s.URL(), "works")
	equal(t, "leftovers", len(attempts()), 0)
}

func TestStart_TwoProcessesAtOnce(t *testing.T) {
	t.Parallel()
	dir := openDir(t)

	other := startHelper(t, dir)
	mine := startTest(t, dir)
	others := other.answer(t)

	addNote(t, mine.URL(), "both")
	equal(t, "rows seen by the other", notes(t, others.URL), "both")
	equal(t, "exactly one adopted", mine.Adopted() != others.Adopted, true)
}

func TestStart_IgnoresAProcessIDThatIsSomeoneElsesNow(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	first := startTest(t, dir)
	addNote(t, first.URL(), "kept")
	site := testSite(t, dir)
	file := postmasterFile(site.clusterDir(site.existingMajor()))
	content, err := os.ReadFile(file)
	must(t, err)
	stop(t, first)

	// The same user's process: PostgreSQL alone would refuse to start.
	stranger, err := startChild(childSpec{path: "/bin/sleep", args: []string{"60"}, account: site.account})
	must(t, err)
	t.Cleanup(func() { stranger.signal(syscall.SIGKILL); <-stranger.done })
	stale := strconv.Itoa(stranger.pid()) + string(content[len(strconv.Itoa(first.child.pid())):])
	must(t, os.WriteFile(file, []byte(stale), 0o600))
	second := startTest(t, dir)

	equal(t, "adopted", second.Adopted(), false)
	equal(t, "rows", notes(t, second.URL()), "kept")
}

func TestLaunch_TakenPortIsTransient(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	s := startTest(t, dir)
	stop(t, s)
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	log, err := openServerLog(dir)
	must(t, err)
	defer log.Close()

	site := testSite(t, dir)
	bin := binaries{dir: s.BinDir(), major: site.existingMajor()}
	l := launcher{site: site, bin: bin, port: taken.Addr().(*net.TCPAddr).Port, log: log}
	_, err = l.run(testContext(t), Options{MaxConnections: 10})

	equal(t, "transient", isTransient(err), true)
	contains(t, err.Error(), "Address already in use")
}

func TestStart_EndOfContextEndsTheStartOnly(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	ended, cancel := context.WithCancel(context.Background())
	cancel()

	_, err := Start(ended, Options{DataDir: dir, Fresh: true})
	equal(t, "is the context's end", errors.Is(err, context.Canceled), true)

	ctx, cancel := context.WithCancel(context.Background())
	s, err := Start(ctx, Options{DataDir: dir, Fresh: true})
	must(t, err)
	t.Cleanup(func() { stop(t, s) })
	cancel()
	addNote(t, s.URL(), "lives")
}

func TestLock_SaysWhoHoldsIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	unlock, err := lock(testContext(t), dir, testLog(t))
	must(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()

	_, err = lock(ctx, dir, testLog(t))

	equal(t, "is the deadline", errors.Is(err, context.DeadlineExceeded), true)
	contains(t, err.Error(), strconv.Itoa(os.Getpid()))
	unlock()
	again, err := lock(testContext(t), dir, testLog(t))
	must(t, err)
	again()
}

func TestServerLog_SetsALargeOneAside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, logName)
	must(t, os.WriteFile(path, nil, 0o600))
	must(t, os.Truncate(path, logMaxBytes+1))

	log, err := openServerLog(dir)
	must(t, err)
	defer log.Close()

	equal(t, "size of the new log", log.begin, 0)
	equal(t, "the old one is kept", exists(path+".1"), true)
}
