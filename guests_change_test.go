package pool_test

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A guest that is changed anywhere is seldom valid. So most changes are made where another byte means another instruction of
// the same type, another constant, another offset.

// site is a byte of a guest's code with those that can stand in its place.
type site struct {
	at     int
	others []byte
}

func span(first, last byte) (all []byte) {
	for b := first; b <= last; b++ {
		all = append(all, b)
	}
	return all
}

var (
	sameType = [][]byte{
		append(span(0x46, 0x4f), span(0x6a, 0x78)...), // two i32 to an i32
		append(span(0x67, 0x69), 0x45),                // an i32 to another
		span(0x51, 0x5a), span(0x7c, 0x8a),            // two i64 to an i32, to an i64
		{0x0f, 0x00}, // return, unreachable
	}
	smallNumbers = span(0, 0x7f)
	labels       = span(0, 2)
)

// changed makes changes: of three bytes each, the first two choose the site, the third what will stand there.
func changed(wasm, changes []byte) []byte {
	sites := sitesOf(wasm)
	if len(sites) == 0 {
		return wasm
	}
	wasm = slices.Clone(wasm)
	for ; len(changes) >= 3; changes = changes[3:] {
		s := sites[int(binary.BigEndian.Uint16(changes))%len(sites)]
		wasm[s.at] = s.others[int(changes[2])%len(s.others)]
	}
	return wasm
}

// walker reads a guest's code as far as it knows the instructions.
type walker struct {
	wasm []byte
	at   int
	end  int // of the function
	bad  bool
}

func sitesOf(wasm []byte) (sites []site) {
	const header, codeSection = 8, 10
	for w := (&walker{wasm: wasm, at: header, end: len(wasm)}); !w.bad && w.at < len(wasm); {
		id, size := w.byte(), w.number()
		next := w.at + size
		if w.bad || next > len(wasm) {
			return nil
		}
		if id == codeSection {
			for n := w.number(); n > 0 && !w.bad; n-- {
				size := w.number()
				body := &walker{wasm: wasm, at: w.at, end: w.at + size}
				if w.at += size; w.at > next {
					return sites
				}
				sites = append(sites, body.sites()...)
			}
		}
		w.at = next
	}
	return sites
}

func (w *walker) byte() byte {
	if w.at >= w.end {
		w.bad = true
		return 0
	}
	w.at++
	return w.wasm[w.at-1]
}

func (w *walker) number() int {
	n, size := binary.Uvarint(w.wasm[w.at:w.end])
	if size <= 0 || n > 1<<32 {
		w.bad = true
		return 0
	}
	w.at += size
	return int(n)
}

// choose reads a number, of one byte if it is to be a site.
func (w *walker) choose(sites []site, others []byte) []site {
	before := w.at
	if w.number(); w.at != before+1 {
		return sites
	}
	return append(sites, site{before, others})
}

// sites reads the body of a function.
func (w *walker) sites() (sites []site) {
	for n := w.number(); n > 0 && !w.bad; n-- { // groups of locals
		w.number()
		w.byte()
	}
	for !w.bad && w.at < w.end {
		at := w.at
		op := w.byte()
		for _, others := range sameType {
			if slices.Contains(others, op) {
				sites = append(sites, site{at, others})
			}
		}
		sites = w.operands(op, sites)
	}
	return sites
}

// operands reads what follows an instruction's first byte.
func (w *walker) operands(op byte, sites []site) []site {
	switch {
	case op == 0x0c || op == 0x0d: // br, br_if
		return w.choose(sites, labels)
	case op >= 0x28 && op <= 0x3e: // loads and stores
		w.number()
		return w.choose(sites, smallNumbers)
	case op == 0x41 || op == 0x42: // constants
		return w.choose(sites, smallNumbers)
	case op == 0x43 || op == 0x44:
		w.at += 4 * int(op-0x42)
	case op == 0x0e: // br_table
		for n := w.number(); n > 0 && !w.bad; n-- {
			sites = w.choose(sites, labels)
		}
		return w.choose(sites, labels)
	case op == 0x11: // call_indirect
		w.number()
		w.number()
	case op >= 0x02 && op <= 0x04 || op == 0x10 || op >= 0x20 && op <= 0x26 || op == 0x3f || op == 0x40 || op == 0xd0 || op == 0xd2:
		w.number()
	case op == 0x1c || op >= 0xfc: // of any length
		w.bad = true
	}
	return sites
}

func TestChangedGuestsAreMostlyValid(t *testing.T) {
	h := newGuestHost(t)
	random := rand.New(rand.NewPCG(1, 2))
	valid, different, all := 0, 0, 0
	files := guestFiles(t)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		wasm := files[path]
		if len(wasm) > 1000 || len(sitesOf(wasm)) < 5 {
			continue
		}
		for range 20 {
			other := changed(wasm, binary.BigEndian.AppendUint64(nil, random.Uint64()))
			require.Len(t, other, len(wasm), path)
			all++
			if !slices.Equal(other, wasm) {
				different++
			}
			if module, err := h.runtime.Compile(other); err == nil {
				valid++
				require.NoError(t, module.Close())
			}
		}
	}
	require.Greater(t, 2*valid, all)
	require.Greater(t, 2*different, all)
	t.Log(all, "guests,", different, "different,", valid, "valid")
}
