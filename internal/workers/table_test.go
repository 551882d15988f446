package workers_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wago-org/workers"
)

func TestTableIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table workers.Table
		model := map[workers.WorkerID]bool{} // false: it was removed, and never comes back
		id := rapid.Map(rapid.Uint64Range(1, 1000), func(n uint64) workers.WorkerID { return workers.WorkerID(n) })
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				id := id.Draw(t, "id")
				if _, used := model[id]; !used {
					table.Put(id)
					model[id] = true
				}
			},
			"remove": func(t *rapid.T) {
				id := id.Draw(t, "id")
				table.Remove(id)
				if model[id] {
					model[id] = false
				}
			},
			"": func(t *rapid.T) {
				for id := range workers.WorkerID(1001) {
					want := id
					if !model[id] {
						want = 0
					}
					if got := table.Get(id); got != want {
						t.Fatalf("worker %d: found %d", id, got)
					}
				}
			},
		})
	})
}

// An ID that is not in the table must not be taken for the worker that is just being put into the place where its search ends.
func TestTheTableNeverTakesOneWorkerForAnother(t *testing.T) {
	const stranger, places = 5, 64
	rounds := 3000
	if testing.Short() {
		rounds = 500
	}
	for range rounds {
		var table workers.Table
		table.Put(3) // so that there is a first place
		var looking sync.WaitGroup
		stop, found := make(chan struct{}), workers.WorkerID(0)
		looking.Go(func() {
			for found == 0 {
				select {
				case <-stop:
					return
				default:
					found = table.Get(stranger)
				}
			}
		})
		for n := workers.WorkerID(1); n < places; n++ {
			table.Put(stranger + places*n)
		}
		close(stop)
		looking.Wait()
		require.Zero(t, found)
	}
}
