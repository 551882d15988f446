package strategy_test

import (
	"fmt"
	"sync/atomic"

	"github.com/JairusSW/pool/strategy"
)

func Example() {
	picker, err := strategy.New(strategy.LeastLoaded, strategy.Options{})
	if err != nil {
		panic(err)
	}
	var loads [3]atomic.Int64
	loads[0].Store(2)
	loads[1].Store(7)
	loads[2].Store(1)
	entries := make([]strategy.Entry, 3)
	for i := range entries {
		entries[i] = strategy.Entry{Slot: uint32(i), Weight: 1, Load: &loads[i], Eligible: true}
	}
	view := picker.View(nil, entries)

	for pos, walk := picker.First(view, 0); pos >= 0; pos, walk = picker.Next(view, walk) {
		fmt.Println("position", pos)
	}
	// Output:
	// position 2
	// position 0
	// position 1
}
