package pool_test

import (
	"context"
	"errors"

	"github.com/wago-org/wago"
)

type guestFunction struct {
	module, name string
	params       int // i32
	results      []wago.ValType
	call         wago.HostFunc
}

func make32(n int) []wago.ValType {
	types := make([]wago.ValType, n)
	for i := range types {
		types[i] = wago.ValI32
	}
	return types
}

func (h *guestHost) functions() []guestFunction {
	nothing := func(wago.HostModule, []uint64, []uint64) {}
	look := func(caller wago.HostModule, params, _ []uint64) { guestBytes(caller, params) }
	return []guestFunction{
		{"pool", "serve", 1, nil, h.own},
		{"pool", "next", 2, make32(1), h.next},
		{"pool", "read", 3, make32(1), h.read},
		{"pool", "reply", 2, nil, h.reply},
		{"pool", "fail", 2, nil, h.fail},
		{"pool", "tag", 0, []wago.ValType{wago.ValI64}, h.tag},
		{"pool", "log", 2, nil, look},
		{"pooltest", "own", 1, nil, h.own},
		{"pooltest", "step", 0, make32(1), h.step},
		{"pooltest", "next", 2, make32(1), h.next},
		{"pooltest", "done", 2, nil, h.reply},
		{"pooltest", "turn", 1, make32(1), h.act},
		{"env", "run", 3, make32(1), h.run},
		{"env", "abort", 4, nil, func(wago.HostModule, []uint64, []uint64) { panic(wago.HostTrap{Err: errGuestAborts}) }},
		{"hostile", "found", 1, nil, nothing},
		{"hostile", "submit", 2, nil, look},
		{"hostile", "create", 0, nil, nothing},
		{"hostile", "scale", 1, nil, nothing},
		{"hostile", "log", 2, nil, look},
	}
}

var (
	errGuestAborts  = errors.New("the guest aborts")
	errGuestFails   = errors.New("the guest fails the task")
	errGuestOutside = errors.New("outside the guest's memory")
	errGuestStopped = errors.New("its time is up")
)

// guestBytes are those that an address and a length name.
func guestBytes(caller wago.HostModule, params []uint64) []byte {
	all, address, length := caller.Memory(), uint64(uint32(params[0])), uint64(uint32(params[1]))
	if address+length > uint64(len(all)) {
		panic(wago.HostTrap{Err: errGuestOutside})
	}
	return all[address : address+length]
}

// next is the next task in the guest's memory: its length, or -1.
func (h *guestHost) next(caller wago.HostModule, params, results []uint64) {
	buffer := guestBytes(caller, params)
	results[0] = 1<<32 - 1
	if h.service.DispatchNext(context.Background(), caller) != nil {
		return
	}
	task, err := h.service.Current(caller)
	if err == nil {
		copy(buffer, task.Payload)
		results[0] = uint64(len(task.Payload))
	}
}

func (h *guestHost) read(caller wago.HostModule, params, results []uint64) {
	buffer := guestBytes(caller, params[1:])
	if task, err := h.service.Current(caller); err == nil {
		results[0] = uint64(copy(buffer, task.Payload[min(uint64(uint32(params[0])), uint64(len(task.Payload))):]))
	}
}

func (h *guestHost) reply(caller wago.HostModule, params, _ []uint64) {
	_ = h.service.Complete(caller, guestBytes(caller, params))
}

func (h *guestHost) fail(caller wago.HostModule, params, _ []uint64) {
	guestBytes(caller, params)
	_ = h.service.Fail(caller, errGuestFails)
}

func (h *guestHost) tag(caller wago.HostModule, _, results []uint64) {
	task, _ := h.service.Current(caller)
	results[0] = task.Tag
}

// step takes the next task: 0, or -1.
func (h *guestHost) step(caller wago.HostModule, _, results []uint64) {
	results[0] = 1<<32 - 1
	if h.service.DispatchNext(context.Background(), caller) == nil {
		results[0] = 0
	}
}

// guestActs are what guests that ask do with a task, by its tag: go on, trap, return, spin, skip.
var guestActs = [guestCalls]uint64{0, 0, 2, 1, 3, 4}

func (h *guestHost) act(caller wago.HostModule, _, results []uint64) {
	task, err := h.service.Current(caller)
	results[0] = 1
	if err == nil {
		results[0] = guestActs[task.Tag]
	}
}

// run is the one function of guests that are told each step; their first parameter says why they call.
func (h *guestHost) run(caller wago.HostModule, params, results []uint64) {
	const steps = 0
	if uint32(params[0]) == steps {
		if h.service.DispatchNext(context.Background(), caller) == nil {
			h.act(caller, nil, results)
			return
		}
	} else {
		h.own(caller, []uint64{0}, nil)
	}
	results[0] = 1
}
