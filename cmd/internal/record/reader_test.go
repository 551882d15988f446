package record_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/cmd/internal/record"
)

func TestReaderCutsAtSeparators(t *testing.T) {
	tests := map[string]struct {
		input     string
		separator byte
		want      []string
	}{
		"no input has no records":              {"", '\n', nil},
		"a lone newline is an empty record":    {"\n", '\n', []string{""}},
		"the last newline may be missing":      {"a\nb", '\n', []string{"a", "b"}},
		"an empty record in the middle counts": {"a\n\nb\n", '\n', []string{"a", "", "b"}},
		"CR belongs to the record":             {"a\r\nb\r\n", '\n', []string{"a\r", "b\r"}},
		"any other byte is content":            {"\x00\xff\n\xc3\x28\n", '\n', []string{"\x00\xff", "\xc3\x28"}},
		"NUL separates, newlines are content":  {"a\nb\x00c", 0, []string{"a\nb", "c"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, all(t, record.NewReader(strings.NewReader(test.input), test.separator, 100)))
		})
	}
}

func TestReaderSkipsLongRecordsByName(t *testing.T) {
	long := strings.Repeat("x", 10<<20)
	r := record.NewReader(strings.NewReader("ab\nabc\n"+long+"\nabcd\nab"), '\n', 3)
	for _, want := range []struct {
		text   string
		length int64
	}{{"ab", 0}, {"abc", 0}, {"", 10 << 20}, {"", 4}, {"ab", 0}} {
		got, err := r.Next(nil)
		if want.length == 0 {
			require.NoError(t, err)
			assert.Equal(t, want.text, string(got))
			continue
		}
		var tooLong *record.TooLongError
		require.ErrorAs(t, err, &tooLong)
		require.ErrorIs(t, err, record.ErrTooLong)
		assert.Equal(t, record.TooLongError{Length: want.length, Max: 3}, *tooLong)
	}
	_, err := r.Next(nil)
	assert.ErrorIs(t, err, io.EOF)
}

func TestReaderHoldsNoMoreThanOneRecord(t *testing.T) {
	endless := io.LimitReader(zeros{}, 256<<20)
	r := record.NewReader(endless, '\n', 1000)
	buf := make([]byte, 0, 2000)
	got := testing.AllocsPerRun(1, func() {
		_, err := r.Next(buf)
		assert.True(t, errors.Is(err, record.ErrTooLong) || errors.Is(err, io.EOF))
	})
	assert.Less(t, got, 10.0)
	assert.EqualValues(t, 256<<20, r.Bytes())
}

func TestReaderReportsTheStreamsError(t *testing.T) {
	broken := errors.New("cable pulled")
	r := record.NewReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), '\n', 10)
	got, err := r.Next(nil)
	require.NoError(t, err)
	assert.Equal(t, "a", string(got))
	_, err = r.Next(nil)
	assert.ErrorIs(t, err, broken)
}

func TestReaderAgreesWithSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		input := rapid.SliceOf(rapid.SampledFrom([]byte("a\n\r\x00"))).Draw(t, "input")
		want := bytes.Split(input, []byte{'\n'})
		if last := len(want) - 1; len(want[last]) == 0 {
			want = want[:last]
		}
		r := record.NewReader(iotest.OneByteReader(bytes.NewReader(input)), '\n', len(input))
		for i, part := range want {
			got, err := r.Next(nil)
			if err != nil || !bytes.Equal(got, part) {
				t.Fatalf("record %d of %q: %q, %v", i, input, got, err)
			}
		}
		if _, err := r.Next(nil); !errors.Is(err, io.EOF) || r.Bytes() != int64(len(input)) {
			t.Fatalf("end of %q: %v after %d bytes", input, err, r.Bytes())
		}
	})
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("a\n\nb"), 2)
	f.Fuzz(func(t *testing.T, input []byte, max int) {
		if max < 0 {
			return
		}
		r := record.NewReader(bytes.NewReader(input), '\n', max)
		for {
			got, err := r.Next(nil)
			if errors.Is(err, io.EOF) {
				break
			}
			if len(got) > max || bytes.IndexByte(got, '\n') >= 0 {
				t.Fatalf("%q is no record of at most %d bytes", got, max)
			}
		}
		if r.Bytes() != int64(len(input)) {
			t.Fatalf("%d of %d bytes", r.Bytes(), len(input))
		}
	})
}

func BenchmarkReader(b *testing.B) {
	input := bytes.Repeat([]byte(strings.Repeat("x", 79)+"\n"), 1000)
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		r := record.NewReader(bytes.NewReader(input), '\n', 1<<20)
		for {
			got, err := r.Next(buf[:0])
			if err != nil {
				break
			}
			buf = got
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func all(t *testing.T, r *record.Reader) []string {
	t.Helper()
	var out []string
	for {
		got, err := r.Next(nil)
		if errors.Is(err, io.EOF) {
			return out
		}
		require.NoError(t, err)
		out = append(out, string(got))
	}
}
