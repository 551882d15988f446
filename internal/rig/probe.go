package rig

import "github.com/wago-org/wago"

// What the rig counts of instances by itself, from the engine's own count.

// LiveWorkers is the number of instances that exist and are no owner's: also those that are being made or closed.
func (r *Rig) LiveWorkers() int {
	opened, closed := r.Runtime.Instances()
	return int(opened) - int(closed) - int(r.ownersOpen.Load())
}

// Spawned is the number of instances that were ever begun and were no owner's.
func (r *Rig) Spawned() int {
	opened, _ := r.Runtime.Instances()
	return int(opened) - int(r.ownersMade.Load())
}

// OnSpawn has fn decide about every worker's instance before it is made, with its number from 1 on: an error refuses it. It
// may block. Nil: every instance is made.
func (r *Rig) OnSpawn(fn func(n int) error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spawnHook, r.spawns = fn, 0
}

// spawning is the interceptor behind OnSpawn.
func (r *Rig) spawning(request wago.InstantiationRequest) error {
	if request.Origin != wago.InstantiateManaged {
		return nil
	}
	r.mu.Lock()
	r.spawns++
	fn, n := r.spawnHook, r.spawns
	r.mu.Unlock()
	if fn == nil {
		return nil
	}
	return fn(n)
}

// OnStart has fn decide what start sections do, those of owners included. Nil: nothing.
func (r *Rig) OnStart(fn func() Act) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.startHook = fn
}

// OnTurn has fn run in every worker's host call before it asks for a task. Nil: nothing.
func (r *Rig) OnTurn(fn func(w *Worker)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turnHook = fn
}

func (r *Rig) turning(w *Worker) {
	r.mu.Lock()
	fn := r.turnHook
	r.mu.Unlock()
	if fn != nil {
		fn(w)
	}
}

func (r *Rig) starting() Act {
	r.mu.Lock()
	fn := r.startHook
	r.mu.Unlock()
	if fn == nil {
		return Next
	}
	return fn()
}
