package soak

import (
	"context"
	"math/rand/v2"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
	"github.com/wago-org/wago"
)

// origin is where a submit comes from.
type origin struct {
	ctx    context.Context // what waits ends with it
	caller wago.HostModule // for SubmitFrom; nil: an owner's
	tame   bool            // the task sets off nothing else
	hasty  bool            // it hardly ever waits
	room   []byte          // where the payload is to lie; nil: anywhere
}

// draft is a task that is being submitted.
type draft struct {
	ledger.Draft
	p     *subject
	bytes []byte
	from  origin
	dice  *rand.Rand
}

// ways are the ways to submit, each as often as its weight says.
var ways = []struct {
	name   string
	weight int
	waits  bool
	submit func(*world, *draft)
}{
	{"SubmitWait", 15, true, (*world).submitWait},
	{"Call", 15, true, (*world).call},
	{"Submit", 30, false, (*world).submitPlain},
	{"SubmitKeyed", 15, false, (*world).submitKeyed},
	{"SubmitFrom", 10, false, (*world).submitFrom},
	{"SubmitTask", 15, false, (*world).submitTask},
	{"Broadcast", 1, false, (*world).broadcast},
}

var allWays = func() (sum int) {
	for _, way := range ways {
		sum += way.weight
	}
	return sum
}()

// submitSomehow submits one task, in any way there is.
func (w *world) submitSomehow(dice *rand.Rand, p *subject, from origin) {
	at := dice.IntN(allWays)
	for _, way := range ways {
		if at -= way.weight; at >= 0 || from.hasty && way.waits && dice.IntN(20) > 0 {
			continue
		}
		w.count("submits", way.name)
		d := draft{p: p, from: from, dice: dice}
		if way.name == "Broadcast" {
			d.Draft = p.book.DraftBroadcast(uint8(tame(dice)))
		} else {
			d.Draft = p.book.Draft(uint8(w.drawFor(dice, p, from)), uint8(w.drawFor(dice, p, from)))
		}
		d.write()
		way.submit(w, &d)
		d.scribble()
		return
	}
}

func (w *world) drawFor(dice *rand.Rand, p *subject, from origin) act {
	if from.tame {
		return tame(dice)
	}
	return draw(dice, p.evil)
}

// write makes the task's bytes.
func (d *draft) write() {
	n := length(d.Tag, d.p.opts.Worker.MaxPayloadBytes)
	if d.from.room == nil {
		d.from.room = make([]byte, n)
	}
	d.bytes = d.from.room[:n]
	payload(d.Tag, d.bytes)
}

// scribble spoils the bytes: they are the submitter's again once the submit has returned.
func (d *draft) scribble() {
	for i := range d.bytes {
		d.bytes[i] = ^d.bytes[i]
	}
}

// long: the payload is over the pool's maximum.
func (d *draft) long() bool { return len(d.bytes) > int(d.p.opts.Worker.MaxPayloadBytes) }

func (d *draft) task() pool.Task {
	return pool.Task{Tag: uint64(d.Tag), Key: d.dice.Uint64N(64), Payload: d.bytes, Attempt: d.dice.Uint32N(3)}
}
