package main

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWhatWasAcceptedIsAccountedFor(t *testing.T) {
	for name, c := range map[string]struct {
		work, patience time.Duration
		want           string
	}{
		"in time":     {50 * time.Millisecond, time.Second, "drained\naccepted 46: 46 done, 0 failed, 0 dropped\n"},
		"not in time": {time.Hour, time.Second, "not drained in time\naccepted 6: 0 done, 2 failed, 4 dropped\n"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 1010*time.Millisecond)
				defer cancel()
				var out bytes.Buffer
				require.NoError(t, run(ctx, &out, c.work, c.patience))
				assert.Equal(t, "serving; Ctrl-C ends it\nstopping\n"+c.want+"closed\n", out.String())
			})
		})
	}
}
