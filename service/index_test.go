package service_test

import (
	"sync"
	"testing"

	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTheIndexIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var index service.Index
		known := make(map[service.WorkerID]bool) // false: it has gone, and never comes back
		id := rapid.Uint64Range(1, 500)
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				id := service.WorkerID(id.Draw(t, "id"))
				if _, used := known[id]; !used {
					index.Put(id)
					known[id] = true
				}
			},
			"remove": func(t *rapid.T) {
				id := service.WorkerID(id.Draw(t, "id"))
				index.Remove(id)
				if known[id] {
					known[id] = false
				}
			},
			"": func(t *rapid.T) {
				for id := range service.WorkerID(501) {
					want := id
					if !known[id] {
						want = 0
					}
					if got := index.Get(id); got != want {
						t.Fatalf("worker %d: found %d", id, got)
					}
				}
			},
		})
	})
}

// An id that is not in the index, a worker of somebody else's or one that is being started, must not be taken for the worker that
// is just being put into the place where its search ends.
func TestTheIndexNeverTakesOneWorkerForAnother(t *testing.T) {
	const stranger, places = 5, 64
	for range size(3000, 500) {
		var index service.Index
		index.Put(3) // so that there is a first place
		var looking sync.WaitGroup
		stop, found := make(chan struct{}), service.WorkerID(0)
		looking.Go(func() {
			for found == 0 {
				select {
				case <-stop:
					return
				default:
					found = index.Get(stranger)
				}
			}
		})
		for n := service.WorkerID(1); n < places; n++ {
			index.Put(stranger + places*n)
		}
		close(stop)
		looking.Wait()
		require.Zero(t, found)
	}
}
