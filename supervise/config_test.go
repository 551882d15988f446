package supervise_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/supervise"
)

func TestZeroMeansTheDefault(t *testing.T) {
	got, err := supervise.Config{}.Normalize()
	require.NoError(t, err)
	assert.Equal(t, supervise.Config{Policy: supervise.OnFailure, MaxRestarts: 16, Window: time.Minute}, got)

	got, err = supervise.Config{Backoff: supervise.Backoff{Base: time.Second}}.Normalize()
	require.NoError(t, err)
	assert.Equal(t, supervise.DefaultMaxBackoff, got.Backoff.Max)

	got, err = supervise.Config{Backoff: supervise.Backoff{Base: time.Hour}}.Normalize()
	require.NoError(t, err)
	assert.Equal(t, time.Hour, got.Backoff.Max)
}

func TestWhatIsSetStays(t *testing.T) {
	c := supervise.Config{
		Policy: supervise.Never, MaxRestarts: supervise.Unlimited, Window: supervise.Lifetime,
		Backoff: supervise.Backoff{Base: time.Second, Max: time.Second},
	}
	got, err := c.Normalize()
	require.NoError(t, err)
	assert.Equal(t, c, got)
}

func TestBadValuesAreRefusedByName(t *testing.T) {
	for name, c := range map[string]supervise.Config{
		"Policy 4":                        {Policy: 4},
		"Window -1ns":                     {Window: -1},
		"Backoff.Base -1ns":               {Backoff: supervise.Backoff{Base: -1}},
		"Backoff.Max -1ns":                {Backoff: supervise.Backoff{Base: 1, Max: -1}},
		"Backoff.Max 1s needs":            {Backoff: supervise.Backoff{Max: time.Second}},
		"Backoff.Max 1s is below Backoff": {Backoff: supervise.Backoff{Base: 2 * time.Second, Max: time.Second}},
	} {
		_, err := c.Normalize()
		require.ErrorIs(t, err, supervise.ErrInvalidConfig)
		assert.ErrorContains(t, err, name) // the field and its value are part of the contract
		_, err = supervise.New(c, nil)
		assert.ErrorIs(t, err, supervise.ErrInvalidConfig)
	}
}
