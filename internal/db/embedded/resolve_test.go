package embedded

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// This is the real download; npm's own cache makes the next one quick.
func TestStart_WithBinariesFromNPM(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	site := testSite(t, dir)
	hidden := resolver{npm: "npm", site: site}

	begun := time.Now()
	_, err := hidden.find(testContext(t), 0)
	must(t, err)
	t.Logf("download and unpack: %v", time.Since(begun))
	s, err := startOn(testContext(t), site, hidden, Options{Fresh: true}.withDefaults())
	must(t, err)
	t.Cleanup(func() { stop(t, s) })

	equal(t, "binaries", s.BinDir(), filepath.Join(site.home, "postgres-bin-"+npmVersion, "bin"))
	equal(t, "version", scan(t, s.URL(), "SELECT current_setting('server_version_num')::int / 10000 || ''"), "17")
	equal(t, "btree_gist", scan(t, s.URL(), "SELECT name FROM pg_available_extensions WHERE name = 'btree_gist'"), "btree_gist")
}

func TestBinaries_FindsThisMachines(t *testing.T) {
	t.Parallel()
	dir := openDir(t)

	found, err := Binaries(testContext(t), dir, nil)

	must(t, err)
	equal(t, "has initdb", exists(filepath.Join(found, "initdb")), true)
	equal(t, "made a cluster", testSite(t, dir).existingMajor(), 0)
}

func TestFind_SaysWhatToInstall(t *testing.T) {
	t.Parallel()
	r := resolver{npm: "no-such-npm", site: testSite(t, openDir(t))}

	_, err := r.find(testContext(t), 0)

	if err == nil {
		t.Fatal("found binaries where there are none")
	}
	t.Log(err)
	contains(t, err.Error(), "PostgreSQL 15 or newer", "npm: not installed", "apt-get install postgresql", "dnf install", "brew install", "DATABASE_URL")
}

func TestStart_NeedsTheVersionOfTheCluster(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	cluster := testSite(t, dir).clusterDir(99)
	must(t, os.Mkdir(cluster, 0o700))
	must(t, os.WriteFile(filepath.Join(cluster, "PG_VERSION"), []byte("99\n"), 0o600))
	account, err := chooseAccount()
	must(t, err)
	must(t, account.give(cluster))

	_, err = Start(testContext(t), Options{DataDir: dir})

	if err == nil {
		t.Fatal("started a cluster of version 99")
	}
	t.Log(err)
	contains(t, err.Error(), "was made by PostgreSQL 99", "postgresql-99", "DATABASE_URL")
}

func TestNewestFirst(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, version := range []string{"9.6", "15", "17", "16"} {
		must(t, os.MkdirAll(filepath.Join(root, version, "bin"), 0o700))
	}

	dirs := newestFirst([]string{filepath.Join(root, "*", "bin")})

	var versions []string
	for _, dir := range dirs {
		versions = append(versions, filepath.Base(filepath.Dir(dir)))
	}
	equal(t, "order", strings.Join(versions, " "), "17 16 15 9.6")
}

func TestVerify_RefusesOtherContent(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "archive.tgz")
	must(t, os.WriteFile(file, []byte("not it"), 0o600))
	pkg, ok := npmPackageFor("linux", "amd64")
	equal(t, "has a package", ok, true)

	err := verify(file, pkg.integrity)

	if err == nil {
		t.Fatal("accepted another archive")
	}
	contains(t, err.Error(), pkg.integrity)
}

func TestUnpack_RefusesWhatLeavesItsFolder(t *testing.T) {
	t.Parallel()
	file := func(name, content string) entry { return entry{tar.Header{Name: name, Mode: 0o644}, content} }
	const links = contentPrefix + linksFile
	for name, entries := range map[string][]entry{
		"parent":              {file(contentPrefix+"../../../evil", "")},
		"absolute":            {file("/evil", "")},
		"link entry":          {{tar.Header{Name: contentPrefix + "evil", Typeflag: tar.TypeSymlink, Linkname: "/etc"}, ""}},
		"link to the outside": {file(links, `[{"source":"native/../../etc/passwd","target":"native/evil"}]`)},
		"link at the outside": {file(links, `[{"source":"native/bin","target":"native/../../evil"}]`)},
		"link to a root":      {file(links, `[{"source":"/etc/passwd","target":"native/evil"}]`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			archive := writeArchive(t, dir, entries)

			err := unpackFile(archive, filepath.Join(dir, "a", "b"))

			if err == nil {
				t.Fatal("unpacked it")
			}
			contains(t, err.Error(), "evil")
			found, _ := filepath.Glob(filepath.Join(dir, "*", "*", "evil"))
			equal(t, "files written", len(found), 0)
		})
	}
}

func TestUnpack_MakesFilesAndLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	archive := writeArchive(t, dir, []entry{
		{tar.Header{Name: "package/package.json", Mode: 0o644}, "{}"},
		{tar.Header{Name: contentPrefix + "bin/postgres", Mode: 0o755}, "program"},
		{tar.Header{Name: contentPrefix + "lib/libpq.so.5.17", Mode: 0o644}, "library"},
		{tar.Header{Name: contentPrefix + linksFile, Mode: 0o644}, `[{"source":"native/lib/libpq.so.5.17","target":"native/lib/libpq.so.5"}]`},
	})
	target := filepath.Join(dir, "a", "b")

	must(t, unpackFile(archive, target))

	equal(t, "mode of a program", modeOf(t, filepath.Join(target, "bin", "postgres")), 0o755)
	linked, err := os.ReadFile(filepath.Join(target, "lib", "libpq.so.5"))
	must(t, err)
	equal(t, "through the link", string(linked), "library")
	equal(t, "npm's own files", exists(filepath.Join(target, "package.json")), false)
}

type entry struct {
	header  tar.Header
	content string
}

// writeArchive also makes the folder that the tests unpack into a new child of.
func writeArchive(t *testing.T, dir string, entries []entry) string {
	t.Helper()
	must(t, os.Mkdir(filepath.Join(dir, "a"), 0o700))
	var packed bytes.Buffer
	zipper := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zipper)
	for _, e := range entries {
		e.header.Size = int64(len(e.content))
		must(t, archive.WriteHeader(&e.header))
		_, err := archive.Write([]byte(e.content))
		must(t, err)
	}
	must(t, archive.Close())
	must(t, zipper.Close())
	path := filepath.Join(dir, "archive.tgz")
	must(t, os.WriteFile(path, packed.Bytes(), 0o600))
	return path
}
