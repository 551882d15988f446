package conformance_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/JairusSW/pool/pooltest/conformance"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestPoolOnRealGuests(t *testing.T) { conformance.Exercise(t, pooltest.Start) }

// plain is a double that changes nothing, as one that only measures would.
type plain struct{ pool.Service }

func TestADoubleThatChangesNothingPasses(t *testing.T) {
	conformance.Exercise(t, func(t testing.TB, config pooltest.Config) *pooltest.Kit {
		config.Double = func(s pool.Service) pool.Service { return plain{s} }
		return pooltest.Start(t, config)
	})
}
