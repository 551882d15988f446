package run_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/cmd/internal/run"
)

// However the text is cut into writes, what is printed is its lines, each in pieces of 8 KiB.
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
		var printed paper
		w := run.NewLines(&printed)
		for rest := strings.Join(text, ""); rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "write")
			written, err := w.Write([]byte(rest[:n]))
			require.NoError(t, err)
			require.Equal(t, n, written)
			rest = rest[n:]
		}
		assert.Equal(t, want, printed.printed())
	})
}
