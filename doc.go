// Package pool is a Wago plugin that groups WebAssembly guest workers into elastic, load-balanced, self-healing pools. It is
// the policy layer above the Workers plugin: Workers owns the privileged instances and their mailboxes, Pool decides how many
// there are, which one gets a task, and what happens when one dies.
//
// A consumer plugin requires the contract and uses it inside a lease:
//
//	ref, err := wagoplugin.Require(reg, pool.Contract)
//	…
//	err = ref.With(func(s pool.Service) error {
//		id, err := s.Create(caller, entry, pool.PoolOptions{MinWorkers: 4})
//		…
//	})
//
// This package wires the plugin and names its vocabulary; what the names stand for lives in package service and in the leaves
// strategy, supervise, autoscale and events. Nothing happens at import: package register lists the provider.
package pool
