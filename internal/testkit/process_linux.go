package testkit

import "syscall"

// childOf has the kernel end a program when the test that started it is gone.
func childOf() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
