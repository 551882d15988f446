package countdown

import (
	"fmt"

	"github.com/wago-org/wago/internal/engine/binfmt"
)

// What code costs, in units of one plain instruction, which is about a
// nanosecond or less.
const (
	// callCost is what a call costs the caller: it pays for callees that don't
	// count. So do instructions that leave guest code themselves.
	callCost = 16
	// leafCost is the most that a function without calls and loops may cost
	// without counting.
	leafCost = 64
	// stretchCost is how much one point pays for before the next instruction gets
	// a point of its own.
	stretchCost = 256
)

// action is what a place in a function's body is changed for.
type action byte

const (
	actCount action = iota + 1 // count down by the cost
	actLeave                   // leave guest code
	actFill                    // call the helper in place of memory.fill
	actCopy                    // call the helper in place of memory.copy
)

// edit gives length bytes at offset at away for what the action needs.
type edit struct {
	at, length int
	act        action
	cost       int32 // of actCount
}

// planner walks a body and collects the edits in the order of their places.
type planner struct {
	edits   []edit
	current int // the edit that pays for the code being read
	// outside has for the function, and for every block, loop and if that is open,
	// the edit that paid where it began. That edit pays again behind it: whether a
	// point inside was passed isn't known there.
	outside []int
	returns bool // soon and by itself: no calls and no loops so far
}

// plan returns the edits of a function's body.
func plan(body []byte) ([]edit, error) {
	r := binfmt.NewReader(body)
	for n := r.U32(); n > 0 && r.Err() == nil; n-- {
		skipTwo(r) // a group of locals
	}
	p := &planner{outside: []int{0}, returns: true}
	p.point(r.Pos())
	for len(p.outside) > 0 {
		at := r.Pos()
		op, err := next(r)
		if err != nil {
			return nil, err
		}
		if p.edits[p.current].cost >= stretchCost && op != opElse && op != opEnd {
			p.point(at)
		}
		p.step(op, at, r.Pos())
	}
	if !r.Done() {
		return nil, fmt.Errorf("%w: code behind a function's end", ErrMalformed)
	}
	if entry := &p.edits[0]; p.returns && entry.cost <= leafCost {
		entry.cost = 0
	}
	return p.edits, nil
}

// point begins a stretch.
func (p *planner) point(at int) {
	p.current = len(p.edits)
	p.edits = append(p.edits, edit{at: at, act: actCount})
}

func (p *planner) charge(cost int32) { p.edits[p.current].cost += cost }

func (p *planner) add(at, end int, act action) {
	p.edits = append(p.edits, edit{at: at, length: end - at, act: act})
}

// step accounts for the instruction that stands from at to end.
func (p *planner) step(op opcode, at, end int) {
	p.charge(1)
	switch op {
	case opBlock, opIf, opLoop, opElse, opEnd:
		p.structure(op, end)
	case opCall, opCallIndirect:
		p.returns = false
		p.charge(callCost)
	case opMemoryFill:
		p.charge(callCost)
		p.add(at, end, actFill)
	case opMemoryCopy:
		p.charge(callCost)
		p.add(at, end, actCopy)
	case opMemoryInit, opTableInit, opTableCopy, opTableFill:
		p.add(end, end, actLeave)
	case opMemoryGrow, opTableGrow, opRefFunc:
		p.charge(callCost)
	}
}

func (p *planner) structure(op opcode, end int) {
	last := len(p.outside) - 1
	switch op {
	case opElse:
		p.current = p.outside[last]
	case opEnd:
		p.current = p.outside[last]
		p.outside = p.outside[:last]
	default:
		p.outside = append(p.outside, p.current)
		if op == opLoop {
			p.returns = false
			p.point(end)
		}
	}
}
