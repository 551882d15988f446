package guest_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/cmd/internal/guest"
	"github.com/wago-org/workers"
)

// memory is a caller that is nothing but its memory.
type memory []byte

func (m memory) Memory() []byte { return m }

func TestViewIsInsideTheMemoryOrAnError(t *testing.T) {
	m := memory("0123456789")
	tests := map[string]struct {
		ptr, length uint32
		want        string
		ok          bool
	}{
		"all":               {0, 10, "0123456789", true},
		"a part":            {3, 2, "34", true},
		"nothing":           {4, 0, "", true},
		"nothing, at end":   {10, 0, "", true},
		"nothing, behind":   {11, 0, "", false},
		"one too many":      {0, 11, "", false},
		"from the end on":   {10, 1, "", false},
		"the last pointer":  {1<<32 - 1, 0, "", false},
		"the last length":   {0, 1<<32 - 1, "", false},
		"both, overflowing": {1<<32 - 1, 1<<32 - 1, "", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := guest.View(m, test.ptr, test.length)
			if test.ok {
				require.NoError(t, err)
				assert.Equal(t, test.want, string(got))
				return
			}
			var outside *guest.RangeError
			require.ErrorAs(t, err, &outside)
			assert.Equal(t, guest.RangeError{Pointer: test.ptr, Length: test.length, Memory: 10}, *outside)
		})
	}
}

func TestViewOfAGuestWithoutMemory(t *testing.T) {
	_, err := guest.View(memory(nil), 0, 1)
	assert.Error(t, err)
	_, err = guest.View(memory(nil), 0, 0)
	assert.NoError(t, err)
}

// script writes text as AssemblyScript keeps strings, at a pointer behind some other bytes.
func script(text string) (memory, uint32) {
	units := utf16.Encode([]rune(text))
	m := binary.LittleEndian.AppendUint32([]byte("junk"), uint32(2*len(units)))
	for _, unit := range units {
		m = binary.LittleEndian.AppendUint16(m, unit)
	}
	return m, 8
}

func TestScriptStringReadsWhatAssemblyScriptWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 100, 400).Draw(t, "text")
		m, ptr := script(text)
		if got := guest.ScriptString(m, ptr); got != text {
			t.Fatalf("%q instead of %q", got, text)
		}
	})
}

func TestScriptStringOfWhatIsNone(t *testing.T) {
	long, ptr := script(strings.Repeat("x", 5000))
	assert.Len(t, guest.ScriptString(long, ptr), 512, "it is cut")
	for _, ptr := range []uint32{0, 3, 4, 100, 1<<32 - 1} {
		assert.Empty(t, guest.ScriptString(memory("\xff\xff\xff\xff\xff\xff\xff\xff"), ptr), ptr)
	}
}

func FuzzScriptString(f *testing.F) {
	f.Add([]byte("\x04\x00\x00\x00a\x00b\x00"), uint32(4))
	f.Fuzz(func(_ *testing.T, m []byte, ptr uint32) { guest.ScriptString(memory(m), ptr) })
}

func TestMistakesHaveTheNamesOfTheABI(t *testing.T) {
	other := errors.New("other")
	tests := []struct{ given, want error }{
		{pool.ErrNoTask, guest.ErrNoRecord},
		{fmt.Errorf("wrapped: %w", pool.ErrNoTask), guest.ErrNoRecord},
		{workers.ErrWorkerNotFound, guest.ErrNotWorker},
		{workers.ErrInvalidWorkerCaller, guest.ErrNotWorker},
		{other, other},
		{nil, nil},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, guest.Named(test.given))
	}
}

func TestErrorsNameTheirCause(t *testing.T) {
	err := &guest.CallError{Function: "pool.next", Err: guest.ErrNotWorker}
	assert.ErrorIs(t, err, guest.ErrNotWorker)
	assert.Equal(t, "the guest aborted", (&guest.AbortError{}).Error())
	assert.Equal(t, "the guest aborted: oh no (a.ts:1:2)",
		(&guest.AbortError{Message: "oh no", File: "a.ts", Line: 1, Column: 2}).Error())
}
