package run_test

import (
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/cmd/internal/run"
)

type silent struct{}

func (silent) Line(string)             {}
func (silent) Start(func() run.Status) {}
func (silent) Stop()                   {}

// BenchmarkRun runs one record through the whole command, per operation.
func BenchmarkRun(b *testing.B) {
	for _, name := range []string{"echo", "sha256", "wordcount"} {
		b.Run(name, func(b *testing.B) {
			guest, err := os.ReadFile("../../../testdata/guests/" + name + ".wasm")
			require.NoError(b, err)
			input := bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog\n"), b.N)
			b.SetBytes(int64(len(input) / b.N))
			b.ReportAllocs()
			b.ResetTimer()
			report := run.New(run.Options{
				Name: name, Guest: guest, Start: "_start",
				Min: 4, Max: 4, Strategy: pool.RoundRobin, Overflow: pool.OverflowSpill, Restart: pool.RestartOnFailure,
				MaxRestarts: pool.UnlimitedRestarts, Queue: 64, MaxLine: 1 << 20, MemoryLimit: 64 << 20,
				Separator: '\n', Input: bytes.NewReader(input), Output: io.Discard, Console: silent{},
			}).Do()
			require.NoError(b, report.Err)
			require.EqualValues(b, b.N, report.Done)
		})
	}
}
