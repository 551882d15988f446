package wago_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// BenchmarkHostCall is one host call of a guest that loops over it, caller included.
func BenchmarkHostCall(b *testing.B) {
	h := &host{}
	rt := newRuntime(b, nil, h.plug())
	child := forkOf(b, h, instantiate(b, rt, guestWasm))
	left := b.N
	h.run = func(wago.HostModule, int32, int32, int32) int32 {
		if left--; left <= 0 {
			return 1
		}
		return 0
	}
	b.ReportAllocs()
	b.ResetTimer()
	require.NoError(b, child.InvokeVoidTable(context.Background(), 0))
}

// BenchmarkFork is one fork of a one-page guest and its close.
func BenchmarkFork(b *testing.B) {
	h := &host{}
	rt := newRuntime(b, nil, h.plug())
	in := instantiate(b, rt, guestWasm)
	h.run = func(m wago.HostModule, _, _, _ int32) int32 {
		for b.Loop() {
			child, err := h.manager.Fork(context.Background(), m)
			require.NoError(b, err)
			require.NoError(b, child.Close())
		}
		return 0
	}
	b.ReportAllocs()
	_, err := in.Invoke("call", 0, 0, 0)
	require.NoError(b, err)
}

// BenchmarkInvoke is a call of a trivial export, on its own goroutine, interruptible.
func BenchmarkInvoke(b *testing.B) {
	in := instantiate(b, newRuntime(b, nil), guestWasm, runNothing)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := in.Invoke("add", 1, 2); err != nil {
			b.Fatal(err)
		}
	}
}
