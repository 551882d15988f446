package console

import (
	"io"
	"sync"

	"github.com/JairusSW/pool/cmd/internal/run"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Options says where a console writes.
type Options struct {
	Stderr   io.Writer
	Progress bool  // show a bar between Start and Stop, as on a terminal
	Total    int64 // of the input (bytes); 0: not known
}

// Console writes lines and shows progress. Safe for concurrent use.
type Console struct {
	opts Options // set once

	mu       sync.Mutex
	progress *mpb.Progress // guarded by mu: nil when no bar is shown
	bar      *mpb.Bar      // guarded by mu
}

// New returns a console.
func New(opts Options) *Console { return &Console{opts: opts} }

// Line implements run.Console. An error of standard error has nowhere to go.
func (c *Console) Line(text string) { _, _ = c.write(c.opts.Stderr, []byte(text+"\n")) }

// Output returns a writer to out, which is the same terminal as standard error. Each write has to end with a whole line.
func (c *Console) Output(out io.Writer) io.Writer { return output{c, out} }

type output struct {
	console *Console
	out     io.Writer
}

func (o output) Write(p []byte) (int, error) { return o.console.write(o.out, p) }

// write puts whole lines above the bar, or to w when there is none. The lock keeps them out of the bar's last refresh.
func (c *Console) write(w io.Writer, p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.progress != nil {
		return c.progress.Write(p)
	}
	return w.Write(p)
}

// Start implements run.Console.
func (c *Console) Start(status func() run.Status) {
	if !c.opts.Progress {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.progress = mpb.New(mpb.WithConsoleWriter(newScreen(c.opts.Stderr)), mpb.WithAutoRefresh())
	show := &display{status: status, total: c.opts.Total}
	c.bar = c.progress.New(c.opts.Total, c.style(),
		mpb.BarFillerMiddleware(show.filler), mpb.BarFillerTrim(),
		mpb.PrependDecorators(decor.Any(show.percent)),
		mpb.AppendDecorators(decor.Any(show.text)),
	)
}

// style is a bar for an input of known length, and nothing but the numbers for any other.
func (c *Console) style() mpb.BarFillerBuilder {
	if c.opts.Total > 0 {
		return mpb.BarStyle()
	}
	return mpb.NopStyle()
}

// Stop implements run.Console. It leaves the terminal as if the bar had never been there.
func (c *Console) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.progress == nil {
		return
	}
	c.bar.Abort(true)
	c.progress.Wait()
	c.progress, c.bar = nil, nil
}
