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
	// 4 primes below 10
	// 168 primes below 1000
	// 1229 primes below 10000
	// the impatient caller stopped waiting for task 4000000000: context deadline exceeded
	// the patient caller: task 4000000000 is over: pool: task timed out
	// 25 primes below 100, counted by a fresh worker
	// <nil>
}
