package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

func TestAPanicOfWazeroIsAnErrorAndLeavesNothing(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m := compile(t, e, "memory")
	restore := e.PanicInWazero("oh")
	defer restore()
	_, err := e.Compile(t.Context(), wasm(t, "memory"))
	require.ErrorIs(t, err, engine.ErrInvalidModule)
	_, err = e.Instantiate(t.Context(), m, engine.Bindings{})
	require.ErrorIs(t, err, engine.ErrLink)
	opened, closed := e.Instances()
	require.Equal(t, opened, closed)
}
