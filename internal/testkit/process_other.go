//go:build !linux

package testkit

import "syscall"

// childOf has nothing to say: only Linux ends a program with its parent.
func childOf() *syscall.SysProcAttr { return nil }
