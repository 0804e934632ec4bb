package embedded

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// child is a postgres that this process started and waits for.
type child struct {
	process *os.Process
	done    chan struct{}
	err     error // how it ended; to be read after done is closed
}

type childSpec struct {
	path    string
	args    []string
	account account
	output  *os.File // inherited: the server goes on writing when we are dead
}

// startChild returns when the process is made. It is made and waited for on a
// thread of its own: the kernel's "parent died" signal fires at the death of the
// *thread* that forked, and Go ends idle threads.
func startChild(spec childSpec) (*child, error) {
	// No context ends the server: only Stop and our own death do.
	cmd := exec.CommandContext(context.Background(), spec.path, spec.args...)
	cmd.Dir = "/"
	cmd.Env = serverEnv()
	cmd.Stdout, cmd.Stderr = spec.output, spec.output
	cmd.SysProcAttr = procAttr(spec.account, syscall.SIGINT)

	c := &child{done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := cmd.Start()
		c.process = cmd.Process
		started <- err
		if err != nil {
			return
		}
		c.err = cmd.Wait()
		close(c.done)
	}()
	return c, <-started
}

func (c *child) pid() int { return c.process.Pid }

// signal does nothing when the process has ended.
func (c *child) signal(s syscall.Signal) { _ = c.process.Signal(s) }
