package service_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestThePoolsBehaveAsTheirModel does random things to the service, on the fake Workers, and to a model of it. It tries 500
// sequences, or as many as POOL_MODEL_CHECKS says; -rapid.seed repeats what has failed.
func TestThePoolsBehaveAsTheirModel(t *testing.T) {
	checks := "500"
	if n := os.Getenv("POOL_MODEL_CHECKS"); n != "" {
		checks = n
	}
	setFlag(t, "rapid.checks", checks)
	setFlag(t, "rapid.nofailfile", "true") // what fails is printed, with its seed
	rapid.Check(t, poolsBehaveAsTheirModel)
}

func poolsBehaveAsTheirModel(t *rapid.T) {
	rapid.SyncTest(t, func(t *rapid.T) {
		m := newModelMachine(t)
		defer m.close(t)
		m.create(t)
		t.Repeat(map[string]func(*rapid.T){
			"create": m.create, "submit": m.submit, "submit more": m.submit, "submit still more": m.submit, "wait": m.wait,
			"cancel": m.cancel, "broadcast": m.broadcast, "send": m.send, "take": m.take, "take more": m.take,
			"take still more": m.take, "settle": m.settle, "end": m.end, "reconcile": m.reconcile, "scale": m.scale,
			"stranger": m.stranger, "supervise": m.supervise, "rearm": m.rearm, "drain": m.drain, "destroy": m.destroy,
			"gone": m.gone, "observe": m.observe, "pass": m.pass,
		})
	})
}

// setFlag sets a flag until the test is over.
func setFlag(t *testing.T, name, value string) {
	t.Helper()
	was := flag.Lookup(name).Value.String()
	require.NoError(t, flag.Set(name, value))
	t.Cleanup(func() { require.NoError(t, flag.Set(name, was)) })
}
