package service_test

import (
	"context"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/require"
)

func TestADrainThatIsOverOutranksAnEndedContext(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{})
	require.NoError(t, promptlyDrained(b))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 200 { // a choice between the two would be made by chance
		require.NoError(t, b.Service.DrainWait(ended, b.id))
	}
}
