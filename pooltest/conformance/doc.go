// Package conformance is what Pool's contract says, as checks on real guests. It is for what stands between plugins and Pool,
// and for whoever writes a double of the service: a wrapper that measures, limits or retries still has to be a pool.Service.
//
//	func TestMeteredPoolsAreStillPools(t *testing.T) {
//		conformance.Exercise(t, func(t testing.TB, config pooltest.Config) *pooltest.Kit {
//			config.Double = func(s pool.Service) pool.Service { return metered.New(s) }
//			return pooltest.Start(t, config)
//		})
//	}
//
// A check runs on a kit of its own, most of them in a testing/synctest bubble, so that "it waits" and "nothing more happens"
// are facts and not guesses. The checks in which a guest spins need real time.
//
// The suite holds the service to what is documented at the contract's methods, at the errors, at the options and in the
// README, and to nothing beyond that: which worker a random strategy picks is nobody's business.
package conformance
