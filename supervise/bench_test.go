package supervise_test

import (
	"testing"
	"time"

	"github.com/JairusSW/pool/supervise"
)

func BenchmarkExited(b *testing.B) {
	for name, c := range map[string]supervise.Config{
		"default":   {Window: time.Second},
		"lifetime":  {Window: supervise.Lifetime, MaxRestarts: 1<<32 - 2},
		"large":     {Window: time.Second, MaxRestarts: 1 << 20},
		"unlimited": {MaxRestarts: supervise.Unlimited},
		"backoff":   {MaxRestarts: supervise.Unlimited, Backoff: supervise.Backoff{Base: time.Millisecond}},
	} {
		b.Run(name, func(b *testing.B) {
			m := newMachine(b, c)
			now := start
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(time.Second / 8)
				m.Exited(now, crashed)
			}
		})
	}
}
