package embedded

import (
	"fmt"
	"syscall"
)

// procAttr puts a child under the account and into a group of its own, so that
// Ctrl-C on the terminal reaches us alone: we drain first, then stop it. When we
// die, the kernel sends it onDeath.
func procAttr(a account, onDeath syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: a.credential, Setpgid: true, Pdeathsig: onDeath}
}

// servesFolder reports whether a process is alive and a server of the cluster:
// PostgreSQL makes the cluster's folder its working directory.
func servesFolder(pid int, clusterDir string) bool {
	return sameFolder(fmt.Sprintf("/proc/%d/cwd", pid), clusterDir)
}
