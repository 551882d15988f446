// Package pooltest is for tests of plugins that use Pool: a runtime with real guests, in three lines, that checks at the end
// of the test that no task was lost and no instance is left.
//
//	kit := pooltest.Start(t, pooltest.Config{Plugins: []wago.PluginProvider{mine.Provider()}})
//	guest := kit.Adapt(pooltest.Echo, map[string]string{"own": "mine.own", "next": "mine.next", "done": "mine.done"})
//	_, err := kit.Instantiate(guest).Invoke("own")
//
// There are two guests, [Loop] and [Echo]. Their imports are those of the kit itself, and with [Kit.Adapt] those of the plugin
// under test. What a worker does with the task in its hand, once the plugin has handed it out, is the test's to say: a
// [Behaviour] may hold it (see [Gate]), trap ([TrapOn]), spin, return, exit, or settle it.
//
// Where the test is the owner of a pool itself, [Kit.Owner] parks an instance in a host call, so that there is a live caller:
//
//	owner := kit.Owner(pooltest.Loop)
//	id := owner.Create(pool.PoolOptions{MinWorkers: 4})
//	owner.Supervise(id)
//	…
//	stats := kit.Quiet(id) // no task is queued or running, and the ledger holds
//
// All of it works inside testing/synctest bubbles, but for guests that spin: a bubble's clock stands still while one runs.
// Waiting looks at its condition when everything else is blocked there, and each millisecond elsewhere. What goes wrong is
// reported to the test with what the pools and the goroutines were doing.
//
// Package conformance, below this one, holds anything that stands between a plugin and Pool to Pool's contract.
package pooltest
