//go:build unix && !linux

package embedded

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// procAttr is as on Linux, but for the death signal, which only Linux has: a
// server whose starter was killed stays, and the next start adopts it.
func procAttr(a account, _ syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: a.credential, Setpgid: true}
}

// servesFolder reports whether a process is alive and a server of the cluster:
// the folder is among its arguments.
func servesFolder(pid int, clusterDir string) bool {
	out, err := exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && strings.Contains(string(out), "-D "+clusterDir)
}
