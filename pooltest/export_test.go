package pooltest

import "testing"

// OnTest returns a kit that only reports, to another test.
func OnTest(k *Kit, t testing.TB) *Kit { return &Kit{t: t, Runtime: k.Runtime} }
