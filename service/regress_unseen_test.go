package service_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// A worker that has joined may be in no snapshot yet while the next one is being started, however long that takes.
func TestNobodyWaitsForRoomWhileAWorkerThatHasJoinedIsIdle(t *testing.T) {
	for name, submit := range map[string]func(*bench) error{
		"Submit": func(b *bench) error {
			_, err := b.Service.Submit(b.id, 9999, nil)
			return err
		},
		"SubmitWait": func(b *bench) error {
			ctx, cancel := context.WithTimeout(b.T.Context(), time.Hour)
			defer cancel()
			_, err := b.Service.SubmitWait(ctx, b.id, pool.Task{Tag: 9999})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				b, gates := newGatedBench(t, rig.Config{Bubble: true}, pool.PoolOptions{MinWorkers: 8, MaxWorkers: 10})
				b.submit(span(1, 8*64)...) // all eight mailboxes are full
				start := make(chan struct{})
				b.OnSpawn(func(n int) error {
					if n == 2 {
						<-start
					}
					return nil
				})
				scaled := b.owner.Do(func(caller wago.HostModule) error { return b.Service.Scale(caller, b.id, 10) })
				synctest.Wait()
				require.EqualValues(t, 9, b.stats().Live, "the ninth has joined, with an empty mailbox; the tenth is being started")
				assert.NoError(t, submit(b))
				close(start)
				require.NoError(t, <-scaled)
				gates.Open()
			})
		})
	}
}
