package wago_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// eventually waits for a condition that another goroutine brings about.
func eventually(t testing.TB, condition func() bool) {
	t.Helper()
	require.Eventually(t, condition, 10*time.Second, time.Millisecond)
}
