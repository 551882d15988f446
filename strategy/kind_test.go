package strategy_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/strategy"
)

func TestKindsHaveOneSpelling(t *testing.T) {
	names := map[strategy.Kind]string{
		1: "round_robin", 2: "least_loaded", 3: "random", 4: "power_of_two", 5: "consistent_hash", 6: "broadcast",
	}
	require.Len(t, names, len(kinds))
	for kind, name := range names {
		assert.True(t, kind.Valid())
		assert.Equal(t, name, kind.String())
		text, err := json.Marshal(kind)
		require.NoError(t, err)
		assert.Equal(t, `"`+name+`"`, string(text))
		var back strategy.Kind
		require.NoError(t, json.Unmarshal(text, &back))
		assert.Equal(t, kind, back)
	}
}

func TestNoOtherKindExists(t *testing.T) {
	for _, kind := range []strategy.Kind{0, strategy.Broadcast + 1, 255} {
		assert.False(t, kind.Valid())
		_, err := kind.MarshalText()
		assert.ErrorIs(t, err, strategy.ErrUnknownKind)
		_, err = strategy.New(kind, strategy.Options{})
		assert.ErrorIs(t, err, strategy.ErrUnknownKind)
	}
	assert.Equal(t, "Kind(255)", strategy.Kind(255).String())
	for _, name := range []string{"", "Random", "round-robin", "round_robin ", "Kind(3)"} {
		kind := strategy.Broadcast
		assert.ErrorIs(t, kind.UnmarshalText([]byte(name)), strategy.ErrUnknownKind)
		assert.Equal(t, strategy.Broadcast, kind)
	}
}
