package autoscale_test

import (
	"fmt"
	"time"

	"github.com/JairusSW/pool/autoscale"
)

func Example() {
	damper := autoscale.NewDamper(5 * time.Second)
	workers := []autoscale.Worker{{Load: 9}, {Load: 8}}
	now := time.Unix(0, 0)

	size, _, _ := damper.Want(now, autoscale.Desired(17, 4, 2, 8))
	fmt.Println(size, "workers:", autoscale.Plan(size, 0, 6, workers).Start, "to be started")

	now = now.Add(time.Second)
	size, next, pending := damper.Want(now, autoscale.Desired(3, 4, 2, 8))
	fmt.Println(size, "workers, for now:", pending, next.Sub(now))

	size, _, _ = damper.Want(next, 2)
	fmt.Println(size, "workers")
	// Output:
	// 5 workers: 3 to be started
	// 5 workers, for now: true 5s
	// 2 workers
}

func ExampleShare() {
	busy, idle := autoscale.Claim{Floor: 1, Want: 9, Hold: 9}, autoscale.Claim{Floor: 1, Want: 2, Hold: 6}
	fmt.Println(autoscale.Share(8, []autoscale.Claim{busy, idle}))
	fmt.Println(autoscale.Share(16, []autoscale.Claim{busy, idle}))
	// Output:
	// [6 2]
	// [9 6]
}
