package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the user that runs initdb and postgres. PostgreSQL refuses to run
// as root, so root lends it an unprivileged one.
type account struct {
	name string
	// credential is nil when the server runs as this process does.
	credential *syscall.Credential
}

// chooseAccount takes postgres, or nobody where PostgreSQL was never installed.
func chooseAccount() (account, error) {
	if os.Geteuid() != 0 {
		return account{name: "the current user"}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		return toAccount(u)
	}
	return account{}, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as: set DATABASE_URL, or start as another user")
}

func toAccount(u *user.User) (account, error) {
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("user id of %s: %w", u.Username, err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return account{}, fmt.Errorf("group id of %s: %w", u.Username, err)
	}
	return account{name: u.Username, credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}

// ownerAccount is the account that made a cluster: it must go on running it,
// even where chooseAccount would choose another by now.
func ownerAccount(clusterDir string) (account, error) {
	info, err := os.Stat(clusterDir)
	if err != nil {
		return account{}, fmt.Errorf("owner of the cluster: %w", err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	if os.Geteuid() != 0 {
		return currentUserOwning(clusterDir, owner.Uid)
	}
	credential := &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}
	return account{name: "user " + strconv.Itoa(int(owner.Uid)), credential: credential}, nil
}

func currentUserOwning(clusterDir string, uid uint32) (account, error) {
	if int(uid) != os.Geteuid() {
		return account{}, fmt.Errorf("%s belongs to user %d: start as that user or as root, or choose another data folder", clusterDir, uid)
	}
	return account{name: "the current user"}, nil
}

// give makes the account the owner of path.
func (a account) give(path string) error {
	if a.credential == nil {
		return nil
	}
	return os.Chown(path, int(a.credential.Uid), int(a.credential.Gid))
}

// canEnter reports whether the account may pass through dir and all folders
// above it. It looks at the mode bits alone: an access list that allows more
// only means that the cluster goes elsewhere.
func (a account) canEnter(dir string) bool {
	if a.credential == nil {
		return true
	}
	for {
		info, err := os.Stat(dir)
		if err != nil || !a.mayExecute(info) {
			return false
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return true
		}
		dir = parent
	}
}

func (a account) mayExecute(info fs.FileInfo) bool {
	owner := info.Sys().(*syscall.Stat_t)
	switch {
	case owner.Uid == a.credential.Uid:
		return info.Mode()&0o100 != 0
	case owner.Gid == a.credential.Gid:
		return info.Mode()&0o010 != 0
	}
	return info.Mode()&0o001 != 0
}
