package console

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/JairusSW/pool/cmd/internal/run"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// display turns a run's status into what the bar shows. The bar's goroutine alone uses it.
type display struct {
	status func() run.Status
	total  int64
	rate   meter
}

// filler makes the bar as long as the part of the input that is done.
func (d *display) filler(base mpb.BarFiller) mpb.BarFiller {
	return mpb.BarFillerFunc(func(w io.Writer, stat decor.Statistics) error {
		stat.Current = min(d.status().BytesDone, d.total)
		return base.Fill(w, stat)
	})
}

func (d *display) percent(decor.Statistics) string {
	if d.total <= 0 {
		return ""
	}
	return fmt.Sprintf("%3d%% ", min(100, 100*d.status().BytesDone/d.total))
}

func (d *display) text(decor.Statistics) string {
	s := d.status()
	return d.gap() + Describe(s, d.rate.at(time.Now(), s.Done+s.Failed))
}

// gap stands between the bar and the text, when there is a bar.
func (d *display) gap() string {
	if d.total <= 0 {
		return ""
	}
	return " "
}

// Describe says in a few words how far a run is and how fast (records per second).
func Describe(s run.Status, rate float64) string {
	parts := []string{grouped(s.Done) + " done"}
	if s.Failed > 0 {
		parts = append(parts, grouped(s.Failed)+" failed")
	}
	parts = append(parts, grouped(uint64(rate))+"/s", fmt.Sprintf("%d/%d workers", s.Live, s.Wanted))
	if s.Restarts > 0 {
		parts = append(parts, grouped(s.Restarts)+" restarts")
	}
	return strings.Join(append(parts, grouped(s.Queued)+" queued"), "  ")
}

// grouped writes a number with a comma between thousands.
func grouped(n uint64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// window is how far back the rate looks.
const window = 3 * time.Second

// meter measures a rate over the last seconds.
type meter struct{ samples []sample }

type sample struct {
	at    time.Time
	count uint64
}

// at adds a sample and returns the rate since the oldest one in the window (counts per second).
func (m *meter) at(now time.Time, count uint64) float64 {
	m.samples = append(m.samples, sample{now, count})
	for len(m.samples) > 2 && now.Sub(m.samples[1].at) >= window {
		m.samples = m.samples[1:]
	}
	first := m.samples[0]
	if elapsed := now.Sub(first.at); elapsed > 0 {
		return float64(count-first.count) / elapsed.Seconds()
	}
	return 0
}
