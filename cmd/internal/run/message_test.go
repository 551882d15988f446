package run_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/cmd/internal/run"
)

// However the text is cut into writes, what is printed is its lines, each in pieces of 8 KiB; the last may have no end.
func TestWhatGuestsPrintComesInBoundedLines(t *testing.T) {
	const most = 8 << 10
	rapid.Check(t, func(t *rapid.T) {
		var text, want []string
		for range rapid.IntRange(0, 6).Draw(t, "lines") {
			n := rapid.OneOf(rapid.IntRange(0, 20), rapid.IntRange(most-2, most+2), rapid.IntRange(0, 5*most)).Draw(t, "length")
			line := strings.Repeat("0123456789", n/10+1)[:n]
			text = append(text, line+"\n")
			for ; len(line) >= most; line = line[most:] {
				want = append(want, "pool: "+line[:most])
			}
			want = append(want, "pool: "+line)
		}
		last := strings.Repeat("!", rapid.IntRange(0, most-1).Draw(t, "last"))
		if text = append(text, last); last != "" {
			want = append(want, "pool: "+last)
		}
		var printed paper
		w, flush := run.NewLines(&printed)
		for rest := strings.Join(text, ""); rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "write")
			written, err := w.Write([]byte(rest[:n]))
			require.NoError(t, err)
			require.Equal(t, n, written)
			rest = rest[n:]
		}
		flush()
		assert.Equal(t, want, printed.printed())
		flush()
		assert.Len(t, printed.printed(), len(want), "once")
	})
}

func TestALastLineWithoutAnEndIsPrintedWhenTheRunEnds(t *testing.T) {
	for name, test := range map[string]struct{ input, want string }{
		"the worker's and the start function's": {"one\n", "one."},
		"of several records":                    {"a\na\n", "aa."},
		"before a trap":                         {"!\n", "!."},
		"the start function's alone":            {"", "."},
	} {
		t.Run(name, func(t *testing.T) {
			console := &paper{}
			o := options(t, "mutter", strings.NewReader(test.input), io.Discard, console)
			o.Min, o.Max = 1, 1
			require.NoError(t, run.New(o).Do().Err)
			printed := console.printed()
			require.NotEmpty(t, printed)
			assert.Equal(t, "pool: "+test.want, printed[len(printed)-1])
		})
	}
}

func TestALastLineWithoutAnEndIsPrintedWhenTheRunIsAbandoned(t *testing.T) {
	in, feed := io.Pipe()
	defer feed.Close()
	console := &paper{}
	r := run.New(options(t, "mutter", in, io.Discard, console))
	done := start(r)
	_, err := io.WriteString(feed, "one\n")
	require.NoError(t, err)
	require.Eventually(t, func() bool { return console.now().Done == 1 }, patience, time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r.Abandon(ctx)
	assert.Equal(t, []string{"pool: one"}, console.printed())
	r.Interrupt()
	<-done
}
