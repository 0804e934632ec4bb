package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const lockLimit = time.Minute

// lock lets one process at a time start up on a data folder. The kernel frees
// it when its holder dies, and no child inherits it.
func lock(ctx context.Context, dataDir string, log *slog.Logger) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockLimit)
	defer cancel()
	file, err := os.OpenFile(filepath.Join(dataDir, "postgres.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock data folder: %w", err)
	}
	if err := acquire(ctx, file, log); err != nil {
		file.Close()
		return nil, fmt.Errorf("lock data folder: %w", err)
	}
	noteHolder(file)
	return func() { file.Close() }, nil
}

func acquire(ctx context.Context, file *os.File, log *slog.Logger) error {
	for told := false; ; told = true {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return err
		}
		if !told {
			log.InfoContext(ctx, "another process is starting the database, waiting for it", "process", holder(file))
		}
		if err := pause(ctx, pollInterval); err != nil {
			return fmt.Errorf("process %s is still starting the database: %w", holder(file), err)
		}
	}
}

// noteHolder is for the log line of those who wait; the lock is the kernel's,
// so a note that could not be written does no harm.
func noteHolder(file *os.File) {
	if file.Truncate(0) == nil {
		fmt.Fprintf(io.NewOffsetWriter(file, 0), "%d\n", os.Getpid())
	}
}

func holder(file *os.File) string {
	note, _ := io.ReadAll(io.NewSectionReader(file, 0, 32))
	return strings.TrimSpace(string(note))
}
