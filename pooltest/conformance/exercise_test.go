package conformance_test

import (
	"testing"

	"github.com/JairusSW/pool/pooltest"
	"github.com/JairusSW/pool/pooltest/conformance"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestPoolOnRealGuests(t *testing.T) { conformance.Exercise(t, pooltest.Start) }
