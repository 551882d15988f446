package service_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime/pprof"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// leavesNoGoroutine runs f and waits until every goroutine has ended that f started, or that one of these started: they carry a
// label. Other tests may run meanwhile.
func leavesNoGoroutine(t *testing.T, f func()) {
	t.Helper()
	const key = "started by"
	pprof.Do(t.Context(), pprof.Labels(key, t.Name()), func(context.Context) { f() })
	deadline := time.After(testPatience)
	for pause := time.NewTicker(10 * time.Millisecond); ; {
		left := goroutinesWith(fmt.Sprintf("{%q:%q}", key, t.Name()))
		if len(left) == 0 {
			pause.Stop()
			return
		}
		select {
		case <-pause.C:
		case <-deadline:
			require.FailNow(t, "goroutines are left", "%s", bytes.Join(left, []byte("\n\n")))
		}
	}
}

// goroutinesWith returns the stacks of goroutines with the given labels.
func goroutinesWith(labels string) (stacks [][]byte) {
	var all bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&all, 1) // a buffer takes everything
	for stack := range bytes.SplitSeq(all.Bytes(), []byte("\n\n")) {
		if bytes.Contains(stack, []byte("# labels: "+labels)) {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}

func TestAGoroutineThatIsLeftIsFound(t *testing.T) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	pprof.Do(t.Context(), pprof.Labels("started by", t.Name()), func(context.Context) {
		go func() {
			go func() {
				defer close(stopped)
				<-stop
			}()
		}()
	})
	label := fmt.Sprintf("{%q:%q}", "started by", t.Name())
	require.Eventually(t, func() bool { return len(goroutinesWith(label)) == 1 }, testPatience, time.Millisecond)
	close(stop)
	<-stopped
	leavesNoGoroutine(t, func() {})
}
