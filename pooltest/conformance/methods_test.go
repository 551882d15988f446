package conformance

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/stretchr/testify/assert"
)

// A method that is added to the contract has to be asked by the suite.
func TestEveryMethodIsAsked(t *testing.T) {
	kit := pooltest.Start(t, pooltest.Config{})
	w := newWorld(t, kit)
	defer close(w.over)
	kit.Close()
	asked := slices.Sorted(maps.Keys(w.everything(1, pool.EventSubscription{})))
	contract := reflect.TypeFor[pool.Service]()
	for i := range contract.NumMethod() {
		if name := contract.Method(i).Name; name != "List" { // it returns no error
			assert.Contains(t, asked, name)
		}
	}
	assert.Len(t, asked, contract.NumMethod()-1)
}
