package dashboard_test

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"fatureihoje/internal/testkit"
)

//go:embed testdata/axe.min.js
var axeScript string

// browser is one tab of a real Chromium, with a profile of its own.
type browser struct {
	t    *testing.T
	ctx  context.Context
	base string

	mu      sync.Mutex
	console []string
}

// stepLimit bounds one step in the browser.
const stepLimit = 30 * time.Second

func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Chromium here: install it with `apt-get install -y chromium`")
	return ""
}

func newBrowser(t *testing.T, s *testkit.Server) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("no-first-run", true), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("font-render-hinting", "none"), chromedp.Flag("lang", "pt-BR"),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() { cancel(); stop() })
	b := &browser{t: t, ctx: ctx, base: s.BaseURL}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, log.Enable, cdp.Empty{})
		return err
	}))
	b.size(1280, 800)
	t.Cleanup(b.wantQuietConsole)
	return b
}

// hear keeps what the page complains of. The status of a page that refuses a
// form is no complaint.
func (b *browser) hear(event any) {
	text := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text = e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError {
			text = "console.error"
			for _, a := range e.Args {
				text += " " + string(a.Value)
			}
		}
	case *log.EventEntryAdded:
		isPage := e.Entry.Source == log.EntrySourceNetwork && !strings.Contains(e.Entry.URL, "/static/")
		if e.Entry.Level == log.EntryLevelError && !isPage {
			text = e.Entry.Text + " " + e.Entry.URL
		}
	}
	if text != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.console = append(b.console, text)
	}
}

func (b *browser) wantQuietConsole() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.console {
		b.t.Errorf("console: %s", text)
	}
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepLimit)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("in the browser: %v\n%s", err, b.where())
	}
}

func run[T any](b *browser, a chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepLimit)
	defer cancel()
	value, err := chromedp.Run(ctx, a)
	if err != nil {
		b.t.Fatalf("in the browser: %v\n%s", err, b.where())
	}
	return value
}

// where tells a failed test what the page showed.
func (b *browser) where() string {
	ctx, cancel := context.WithTimeout(b.ctx, stepLimit)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string]("location.href + '\\n' + document.body.innerText"))
	if err != nil {
		return err.Error()
	}
	return text
}

func (b *browser) open(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.base + path))
}

func (b *browser) size(width, height int64) { b.do(chromedp.EmulateViewport(width, height)) }

// theme sets what the person prefers: light or dark, and always no motion, whose
// colours on the way are nobody's.
func (b *browser) theme(name string) {
	b.do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}},
		})
		return err
	}))
}

// fill types into a field, over what it holds.
func (b *browser) fill(name, text string) {
	b.t.Helper()
	there := js[bool](b, fmt.Sprintf(`(() => {
		const field = document.querySelector('main [name=%q]');
		if (field) { field.focus(); field.select(); }
		return field !== null;
	})()`, name))
	if !there {
		b.t.Fatalf("no field %q\n%s", name, b.where())
	}
	b.do(chromedp.KeyEvent(text))
}

// js runs a script for its value.
func js[T any](b *browser, script string) T {
	b.t.Helper()
	return run(b, chromedp.Evaluate[T](script))
}

// submit clicks a button or link by its text and waits for the next page.
func (b *browser) submit(text string) {
	b.t.Helper()
	b.click(text)
	b.settled()
}

// click clicks a button or link by its text.
func (b *browser) click(text string) {
	b.t.Helper()
	found := js[bool](b, fmt.Sprintf(`(() => {
		window.leaving = true;
		const all = [...document.querySelectorAll("main button, main a, main summary")].filter((e) => e.innerText.trim().replace(/\s+/g, " ") === %q);
		if (all.length === 0) return false;
		all[0].click();
		return true;
	})()`, text))
	if !found {
		b.t.Fatalf("nothing says %q\n%s", text, b.where())
	}
}

// settled waits for the page that was asked for.
func (b *browser) settled() {
	b.t.Helper()
	testkit.Eventually(b.t, "the next page", func() bool {
		ctx, cancel := context.WithTimeout(b.ctx, stepLimit)
		defer cancel()
		there, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`!window.leaving && document.readyState === "complete"`))
		return err == nil && there
	})
}

func (b *browser) text() string {
	b.t.Helper()
	return js[string](b, "document.querySelector('main')?.innerText ?? ''")
}

func (b *browser) path() string {
	b.t.Helper()
	return js[string](b, "location.pathname")
}

func (b *browser) wantText(parts ...string) {
	b.t.Helper()
	text := b.text()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			b.t.Fatalf("the page does not say %q:\n%s", part, b.where())
		}
	}
}

// signedIn gives the browser a session without the form.
func (b *browser) signedIn(o *owner) *browser {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, network.SetCookie, network.SetCookieParams{
			Name: "fh_session", Value: o.Access + ":" + o.Refresh, URL: b.base, HTTPOnly: new(true), SameSite: network.CookieSameSiteLax,
		})
		return err
	}))
	return b
}

// violation is what axe-core found wrong.
type violation struct {
	ID     string
	Impact string
	Help   string
	Nodes  []struct{ HTML, FailureSummary string }
}

func (b *browser) wantAccessible(what string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](axeScript))
	found := run(b, chromedp.Evaluate[[]violation](
		`axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations
			.filter((v) => v.impact === "serious" || v.impact === "critical")
			.map((v) => ({ID: v.id, Impact: v.impact, Help: v.help, Nodes: v.nodes.map((n) => ({HTML: n.html, FailureSummary: n.failureSummary}))})))`,
		func(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) },
	))
	for _, v := range found {
		b.t.Errorf("%s: %s (%s): %s\n%v", what, v.ID, v.Impact, v.Help, v.Nodes)
	}
	if wide := js[int](b, "document.documentElement.scrollWidth - window.innerWidth"); wide > 0 {
		b.t.Errorf("%s: the page is %d px wider than the window", what, wide)
	}
}

// pictureFolder names the variable that says where pictures go; without it none are taken.
const pictureFolder = "FH_SCREENSHOT_DIR"

// shoot keeps a picture of the whole page.
func (b *browser) shoot(name string) {
	b.t.Helper()
	folder := os.Getenv(pictureFolder)
	if folder == "" {
		return
	}
	picture := run(b, chromedp.FullScreenshot(100))
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// checkAll ticks every box of a name.
func checkAll(name string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelectorAll('[name=%s]').forEach((box) => { box.checked = true })`, name))
}

func forgetCookies() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, network.ClearBrowserCookies, cdp.Empty{})
		return err
	})
}

// choose selects an option by its value.
func choose(name, value string) chromedp.Action[chromedp.Void] {
	return chromedp.SetValue(chromedp.CSS(fmt.Sprintf(`main select[name=%q]`, name)), value)
}

// set gives a field a value without keys: a date's depend on the browser's language.
func set(name, value string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelector('main [name=%q]').value = %q`, name, value))
}
