package fakeworkers

import (
	"fmt"
	"time"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Extras is a set of what Workers may offer beyond its published contract.
type Extras uint8

// The extras.
const (
	SendOwned  Extras = 1 << iota // payloads are taken without a copy
	Retire                        // workers end when they have nothing left to do
	KillWithin                    // a kill with a cause and a grace
	Closing                       // callers learn that they are going to close
	Identity                      // callers can be told apart
	Ceiling                       // refusals for quota say which ceiling
	All        = SendOwned | Retire | KillWithin | Closing | Identity | Ceiling
)

func (e Extras) has(one Extras) bool { return e&one != 0 }

// Methods are looked for by type assertion, so a service without an extra has to be of a type without the method.
type (
	plain      struct{ f *Fake }
	owned      struct{ f *Fake }
	retirer    struct{ f *Fake }
	killer     struct{ f *Fake }
	closer     struct{ f *Fake }
	identifier struct{ f *Fake }
)

func (o owned) SendOwned(id workers.WorkerID, tag uint64, payload []byte) error {
	return o.f.send(id, tag, payload, false)
}

func (r retirer) Retire(id workers.WorkerID) error { return r.f.retire(id) }

func (k killer) KillWithin(id workers.WorkerID, grace time.Duration, cause error) error {
	return k.f.kill(id, grace, cause)
}

func (c closer) Closing(caller wago.HostModule) (<-chan struct{}, error) { return c.f.closing(caller) }

func (i identifier) Identity(caller wago.HostModule) (wago.InstanceIdentity, error) {
	return i.f.identity(caller)
}

// assemble returns the service without the extras: none, one of them, or all. Ceiling is not a method and doesn't count.
func (f *Fake) assemble(without Extras) workers.Service {
	p, o, r, k, c, i := plain{f}, owned{f}, retirer{f}, killer{f}, closer{f}, identifier{f}
	switch without &^ Ceiling {
	case All &^ Ceiling:
		return p
	case 0:
		return struct {
			plain
			owned
			retirer
			killer
			closer
			identifier
		}{p, o, r, k, c, i}
	case SendOwned:
		return struct {
			plain
			retirer
			killer
			closer
			identifier
		}{p, r, k, c, i}
	case Retire:
		return struct {
			plain
			owned
			killer
			closer
			identifier
		}{p, o, k, c, i}
	case KillWithin:
		return struct {
			plain
			owned
			retirer
			closer
			identifier
		}{p, o, r, c, i}
	case Closing:
		return struct {
			plain
			owned
			retirer
			killer
			identifier
		}{p, o, r, k, i}
	case Identity:
		return struct {
			plain
			owned
			retirer
			killer
			closer
		}{p, o, r, k, c}
	}
	panic(fmt.Sprintf("fakeworkers: Config.Without is %b: there is a service without all extras, without one or with all", without))
}
