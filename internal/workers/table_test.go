package workers_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/wago-org/workers"
)

func TestTableIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table workers.Table
		model := map[workers.WorkerID]bool{}
		id := rapid.Map(rapid.Uint64Range(1, 1000), func(n uint64) workers.WorkerID { return workers.WorkerID(n) })
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				id := id.Draw(t, "id")
				table.Put(id)
				model[id] = true
			},
			"remove": func(t *rapid.T) {
				id := id.Draw(t, "id")
				table.Remove(id)
				delete(model, id)
			},
			"": func(t *rapid.T) {
				for id := range workers.WorkerID(1001) {
					if model[id] != table.Has(id) {
						t.Fatalf("worker %d: in the table %v, should be %v", id, !model[id], model[id])
					}
				}
			},
		})
	})
}
