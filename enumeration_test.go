package pool_test

import (
	"encoding"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEnumerationsHaveOneSpelling(t *testing.T) {
	v := newVocabulary(t)
	t.Run("Strategy", func(t *testing.T) {
		checkSpelling[pool.Strategy](t, v.constants(t, "Strategy"), map[string]pool.Strategy{
			"round_robin": 1, "least_loaded": 2, "random": 3, "power_of_two": 4, "consistent_hash": 5, "broadcast": 6,
		})
	})
	t.Run("OverflowPolicy", func(t *testing.T) {
		checkSpelling[pool.OverflowPolicy](t, v.constants(t, "OverflowPolicy"), map[string]pool.OverflowPolicy{
			"spill": 1, "reject": 2, "shed": 3,
		})
	})
	t.Run("RestartPolicy", func(t *testing.T) {
		checkSpelling[pool.RestartPolicy](t, v.constants(t, "RestartPolicy"), map[string]pool.RestartPolicy{
			"on_failure": 1, "always": 2, "never": 3,
		})
	})
	t.Run("PoolEventKind", func(t *testing.T) {
		checkSpelling[pool.PoolEventKind](t, v.constants(t, "PoolEventKind"), map[string]pool.PoolEventKind{
			"created": 1, "worker_added": 2, "worker_removed": 3, "scaled": 4, "task_routed": 5, "task_rejected": 6,
			"drained": 7, "destroyed": 8,
		})
	})
	t.Run("Reason", func(t *testing.T) {
		checkSpelling[pool.Reason](t, v.constants(t, "Reason"), map[string]pool.Reason{
			"none": pool.ReasonNone, "worker_exited": pool.ReasonWorkerExited, "load": pool.ReasonLoad,
		})
	})
}

// checkSpelling goes through every number there can be: those that are constants have a text in snake_case that reads back,
// the others have none. Pinned are texts that must never change.
func checkSpelling[T interface {
	~uint8
	fmt.Stringer
	encoding.TextMarshaler
}, P interface {
	*T
	encoding.TextUnmarshaler
}](t *testing.T, constants map[string]uint8, pinned map[string]T) {
	t.Helper()
	known := make(map[uint8]bool)
	for _, number := range constants {
		known[number] = true
	}
	texts := make(map[string]T)
	for number := range 256 {
		value := T(number)
		text, err := value.MarshalText()
		if !known[uint8(number)] {
			assert.Error(t, err, "%d is no constant", number)
			assert.Contains(t, value.String(), fmt.Sprint(number), "an unknown value still says which it is")
			continue
		}
		require.NoError(t, err, "%d", number)
		assert.Regexp(t, `^[a-z]+(_[a-z]+)*$`, string(text))
		assert.Equal(t, string(text), value.String())
		assert.NotContains(t, texts, string(text))
		texts[string(text)] = value

		var back T
		require.NoError(t, P(&back).UnmarshalText(text))
		assert.Equal(t, value, back)

		inJSON, err := json.Marshal(map[T]T{value: value})
		require.NoError(t, err)
		assert.JSONEq(t, fmt.Sprintf(`{%q:%q}`, text, text), string(inJSON))
	}
	for text, value := range pinned {
		assert.Equal(t, value, texts[text], text)
	}
	for text := range texts {
		for _, wrong := range []string{"", " " + text, text + "\n", "X" + text[1:], text + "_", "unknown", "1"} {
			back := T(200)
			assert.Error(t, P(&back).UnmarshalText([]byte(wrong)), "%q", wrong)
			assert.Equal(t, T(200), back, "a text that is refused changes nothing")
		}
	}
}
