package wago_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

func TestGuestsParkedInTheHostLetAFakeClockRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &host{}
		rt := wago.NewRuntime()
		require.NoError(t, rt.LoadPlugins(t.Context(), set(t, h.plug())))
		in := instantiate(t, rt, guestWasm)
		child := forkOf(t, h, in)
		h.run = func(m wago.HostModule, _, _, _ int32) int32 {
			closing, err := h.manager.Closing(m)
			assert.NoError(t, err)
			<-closing
			return 1
		}
		begin := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		ended := make(chan error, 2)
		go func() { _, err := in.InvokeContext(ctx, "call", 0, 0, 0); ended <- err }()
		go func() { ended <- child.InvokeVoidTable(ctx, 0) }()
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		assert.Empty(t, ended, "the host calls are not interrupted")
		require.NoError(t, rt.Close())
		for range 2 {
			assertInterrupted(t, <-ended, context.DeadlineExceeded)
		}
		assert.Equal(t, 2*time.Hour, time.Since(begin))
	})
}
