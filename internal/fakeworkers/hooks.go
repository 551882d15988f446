package fakeworkers

import "github.com/wago-org/workers"

// Hooks are called inside operations, before they change anything, and may block. What they return refuses the operation
// with that error. Nil hooks do nothing. No lock of the fake is held, but locks of its caller may be: Pool sends with a
// worker's lock held.
type Hooks struct {
	// Spawn is called with the number of the spawn, from 1 on, when its quota is reserved and before its guest exists.
	Spawn func(n int) error
	// Spawned is called when the guest runs, and before Spawn returns: it can delay, and no more.
	Spawned func(id workers.WorkerID)
	// Link, Send (SendOwned included) and Retire are called with the worker. Link is not called for a worker that never
	// was.
	Link, Send, Retire func(id workers.WorkerID) error
}

// Hook sets the hooks; those of the spawns count from 1 again.
func (f *Fake) Hook(hooks Hooks) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hooks, f.lastSpawn = hooks, 0
}

func (f *Fake) hooked() Hooks {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hooks
}

// refuses asks a hook about a worker.
func refuses(hook func(workers.WorkerID) error, id workers.WorkerID) error {
	if hook == nil {
		return nil
	}
	return hook(id)
}

// beforeSpawn asks the hook about the next spawn.
func (f *Fake) beforeSpawn() error {
	f.mu.Lock()
	f.lastSpawn++
	hook, n := f.hooks.Spawn, f.lastSpawn
	f.mu.Unlock()
	if hook == nil {
		return nil
	}
	return hook(n)
}
