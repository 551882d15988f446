package supervise_test

import (
	"fmt"
	"time"

	"github.com/JairusSW/pool/supervise"
)

func Example() {
	machine, err := supervise.New(supervise.Config{MaxRestarts: 2, Window: time.Minute}, nil)
	if err != nil {
		panic(err)
	}
	now := time.Unix(0, 0)
	for range 3 {
		now = now.Add(time.Second)
		fmt.Println(machine.Exited(now, supervise.Exit{Failed: true, Took: true}))
	}
	machine.Rearm()
	fmt.Println(machine.Exited(now, supervise.Exit{Took: true})) // a clean return
	// Output:
	// replace
	// replace
	// halt
	// give_up
}
