package pooltest

import (
	"context"
	"fmt"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// over is what a guest is answered that is to return: -1.
const over = 1<<32 - 1

// step is the kit's own way to take a task: 0, or -1 when it is over.
func (k *Kit) step(caller wago.HostModule, _, results []uint64) {
	results[0] = over
	if _, err := k.take(caller); err == nil || err == pool.ErrNoTask {
		results[0] = 0
	}
}

// take waits for the calling worker's next task. ErrNoTask: it was a message that came past Pool.
func (k *Kit) take(caller wago.HostModule) (task pool.Task, err error) {
	err = k.pools.With(func(pool.Service) error {
		if err := k.Service.DispatchNext(context.Background(), caller); err != nil {
			return err
		}
		task, err = k.Service.Current(caller)
		return err
	})
	return task, err
}

// next is step for guests that want the payload: its length, or -1 when it is over. What doesn't fit fails.
func (k *Kit) next(caller wago.HostModule, params, results []uint64) {
	buffer := memory(caller, params)
	for {
		task, err := k.take(caller)
		switch {
		case err == pool.ErrNoTask:
			continue
		case err != nil:
			results[0] = over
			return
		case len(task.Payload) <= len(buffer):
			results[0] = uint64(copy(buffer, task.Payload))
			return
		}
		tooLong := fmt.Errorf("pooltest: the payload has %d bytes, the guest takes %d", len(task.Payload), len(buffer))
		_ = k.pools.With(func(pool.Service) error { return k.Service.Fail(caller, tooLong) }) // a verdict may have come first
	}
}

// done settles the task in the calling worker's hand with a result from the guest's memory. A verdict may have taken the task
// away: the next call of next says what follows.
func (k *Kit) done(caller wago.HostModule, params, _ []uint64) {
	result := memory(caller, params)
	_ = k.pools.With(func(pool.Service) error { return k.Service.Complete(caller, result) })
}

// memory returns the part of a guest's memory that an address and a length name; a wrong one ends the guest's call.
func memory(caller wago.HostModule, params []uint64) []byte {
	all, address, length := caller.Memory(), uint64(uint32(params[0])), uint64(uint32(params[1]))
	if address+length > uint64(len(all)) {
		panic(wago.HostTrap{Err: fmt.Errorf("pooltest: %d bytes at %d are not in the guest's memory", length, address)})
	}
	return all[address : address+length]
}
