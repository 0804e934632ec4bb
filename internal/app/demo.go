package app

import "context"

func runDemo(ctx context.Context, p *Process) error { return nil }

func welcome(ctx context.Context, p *Process, a *App, embedded bool) error { return nil }
