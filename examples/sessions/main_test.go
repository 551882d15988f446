package main

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func Example() {
	fmt.Println(run(context.Background(), os.Stdout))
	// Output:
	// session 1 at worker 3: 5
	// session 2 at worker 1: 5
	// session 3 at worker 1: 5
	// session 4 at worker 3: 5
	// session 5 at worker 2: 5
	// session 6 at worker 2: 5
	// session 1 at worker 3: 25
	// session 2 at worker 1: 25
	// session 3 at worker 1: 25
	// session 4 at worker 3: 25
	// session 5 at worker 2: 25
	// session 6 at worker 2: 25
	// crash: true
	// session 1 at worker 4: 125, built again
	// session 2 at worker 1: 125
	// session 3 at worker 1: 125
	// session 4 at worker 4: 125, built again
	// session 5 at worker 2: 125
	// session 6 at worker 2: 125
	// <nil>
}
