package console_test

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/JairusSW/pool/cmd/internal/console"
	"github.com/JairusSW/pool/cmd/internal/run"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var _ run.Console = (*console.Console)(nil)

// screen is a terminal that understands newlines, cursor up, and erase to the end.
type screen struct {
	mu    sync.Mutex
	lines []string // the last one is where the cursor is
	most  []string // what was there when there was most
	raw   bytes.Buffer
}

var escape = regexp.MustCompile(`^\x1b\[(\d*)([AJ])`)

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.raw.Write(p)
	for rest := string(p); rest != ""; {
		if s.lines == nil {
			s.lines = []string{""}
		}
		if sequence := escape.FindStringSubmatch(rest); sequence != nil {
			s.obey(sequence[1], sequence[2])
			rest = rest[len(sequence[0]):]
			continue
		}
		if strings.HasPrefix(rest, "\r\x1b[") || rest == "\r" {
			rest = rest[1:] // the bar is rewritten from its first column on
			continue
		}
		if rest[0] == '\x1b' || rest[0] == '\r' {
			return 0, fmt.Errorf("no such thing on this screen: %q", rest)
		}
		if rest[0] == '\n' {
			s.lines = append(s.lines, "")
		} else {
			s.lines[len(s.lines)-1] += rest[:1]
		}
		rest = rest[1:]
	}
	if len(s.lines) >= len(s.most) {
		s.most = append([]string(nil), s.lines...)
	}
	return len(p), nil
}

// obey moves the cursor up; what is below is erased right after, so it is forgotten at once.
func (s *screen) obey(number, letter string) {
	if letter == "J" {
		return
	}
	up, _ := strconv.Atoi(number)
	s.lines = append(s.lines[:max(0, len(s.lines)-1-up)], "")
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines, "\n")
}

func (s *screen) shows(part string) func() bool {
	return func() bool { return strings.Contains(s.text(), part) }
}

func status() run.Status {
	return run.Status{Done: 1234567, Failed: 12, BytesDone: 45, Live: 3, Wanted: 4, Restarts: 9, Queued: 88}
}

const patience = 20 * time.Second

func TestTheBarStandsBelowTheLinesAndLeavesNothingBehind(t *testing.T) {
	s := &screen{}
	c := console.New(console.Options{Stderr: s, Progress: true, Total: 100})
	c.Line("before")
	c.Start(status)
	require.Eventually(t, s.shows(" 45% [="), patience, time.Millisecond)
	c.Line("while one")
	c.Line("while two")
	require.Eventually(t, s.shows("before\nwhile one\nwhile two\n 45% ["), patience, time.Millisecond)
	c.Line("just before the end")
	c.Stop()
	c.Line("after")
	assert.Equal(t, "before\nwhile one\nwhile two\njust before the end\nafter\n", s.text())
}

func TestNoLineIsLostOrTornWhileManyWrite(t *testing.T) {
	s := &screen{}
	c := console.New(console.Options{Stderr: s, Progress: true})
	out := c.Output(s)
	c.Start(status)
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range 500 {
				if w%2 == 0 {
					c.Line(fmt.Sprintf("line %d of %d", i, w))
				} else {
					_, err := io.WriteString(out, fmt.Sprintf("line %d of %d\n", i, w))
					assert.NoError(t, err)
				}
				if w == 0 && i == 250 {
					c.Stop()
				}
			}
		})
	}
	writers.Wait()
	c.Stop()
	lines := strings.Split(strings.TrimSuffix(s.text(), "\n"), "\n")
	require.Equal(t, 2000, len(lines))
	for _, line := range lines {
		assert.Regexp(t, `^line \d+ of \d$`, line)
	}
}

func TestWithoutProgressNothingIsShown(t *testing.T) {
	s := &screen{}
	c := console.New(console.Options{Stderr: s})
	c.Start(status)
	c.Line("one")
	c.Stop()
	assert.Equal(t, "one\n", s.raw.String())
}

func TestStatusIsNotAskedForAfterStop(t *testing.T) {
	s := &screen{}
	c := console.New(console.Options{Stderr: s, Progress: true})
	var mu sync.Mutex
	stopped := false
	c.Start(func() run.Status {
		mu.Lock()
		defer mu.Unlock()
		assert.False(t, stopped)
		return run.Status{}
	})
	require.Eventually(t, s.shows("0 done"), patience, time.Millisecond)
	c.Stop()
	mu.Lock()
	stopped = true
	mu.Unlock()
}

func TestDescribe(t *testing.T) {
	tests := map[string]struct {
		status run.Status
		rate   float64
		want   string
	}{
		"the beginning": {run.Status{Wanted: 2}, 0, "0 done  0/s  0/2 workers  0 queued"},
		"all well":      {run.Status{Done: 999, Live: 2, Wanted: 2, Queued: 7}, 1000.7, "999 done  1,000/s  2/2 workers  7 queued"},
		"with failures": {status(), 65432.1, "1,234,567 done  12 failed  65,432/s  3/4 workers  9 restarts  88 queued"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, console.Describe(test.status, test.rate)) })
	}
}
