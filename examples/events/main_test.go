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
	// level=WARN msg=task_failed pool=1 worker=1 reason=worker_exited error="wasm trap: unreachable (at flaky.work())"
	// level=INFO msg=worker_removed pool=1 worker=1 error="wasm trap: unreachable (at flaky.work())"
	// level=INFO msg=worker_added pool=1 worker=2
	// level=WARN msg=task_failed pool=1 worker=2 reason=worker_exited error="wasm trap: unreachable (at flaky.work())"
	// level=INFO msg=worker_removed pool=1 worker=2 error="wasm trap: unreachable (at flaky.work())"
	// level=INFO msg=worker_added pool=1 worker=3
	// level=WARN msg=task_failed pool=1 worker=3 reason=worker_exited error="wasm trap: unreachable (at flaky.work())"
	// level=INFO msg=worker_removed pool=1 worker=3 error="wasm trap: unreachable (at flaky.work())"
	// level=ERROR msg=halted pool=1 reason=halt error="wasm trap: unreachable (at flaky.work())"
	// level=INFO msg=rearmed pool=1 reason=rearm
	// level=INFO msg=worker_added pool=1 worker=4
	// level=INFO msg=draining pool=1
	// level=INFO msg=worker_removed pool=1 worker=4
	// level=INFO msg=drained pool=1
	// level=INFO msg=destroyed pool=1 error="pool: destroyed"
	// level=INFO msg="in all" done=1 failed=3 replaced=2
	// after the rearming: fine
	// <nil>
}
