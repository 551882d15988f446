package soak

import (
	"math/rand/v2"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
)

// Tampered returns a configuration whose runs have a spoilt service, and calls that may take so long.
func Tampered(c Config, tamper func(pool.Service) pool.Service, limit time.Duration) Config {
	c.tamper, c.limit = tamper, limit
	return c
}

// Leaks, Leaves and Settle are what they are named for.
var (
	Leaks  = leaks
	Leaves = leaves
	Settle = settle
)

// Plan draws a pool.
func Plan(seed uint64) pool.PoolOptions { return newPlan(rand.New(rand.NewPCG(seed, 1))).opts }

// Draws draws what guests do with n tasks, of a thousand of which evil end badly.
func Draws(seed uint64, n, evil int) (names []string) {
	dice := rand.New(rand.NewPCG(seed, 1))
	for range n {
		names = append(names, actNames[draw(dice, evil)])
	}
	return names
}

// Bytes are those of a task in a pool with such a maximum.
func Bytes(tag ledger.Tag, most uint32) []byte {
	bytes := make([]byte, length(tag, most))
	payload(tag, bytes)
	return bytes
}

// Answer is what guests reply to bytes.
func Answer(bytes []byte) uint32 { return answer(bytes) }

// Overdue are the errors of a watch over one call that has been under way for so long, with such a limit.
func Overdue(what string, took, limit time.Duration) []error {
	w := newWatch()
	p := w.post("an actor")
	defer p.leave()
	if what != "" {
		p.begin(what)
	}
	return w.overdue(time.Now().Add(took), limit)
}
