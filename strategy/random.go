package strategy

// random takes any eligible slot, each as likely as the next and independent of the pick before. A spill
// goes through the others in a random order, so that no slot inherits what its neighbour refuses.
type random struct{ seed uint64 }

var _ Picker = random{}

func (p random) View(prev *View, entries []Entry) *View {
	v := newView(prev, entries)
	v.shuffle(p.seed)
	return v
}

func (random) First(v *View, _ uint64) (int, Walk) {
	n := uint32(len(v.eligible))
	if n == 0 {
		return -1, Walk{}
	}
	// The next word of the view's random sequence.
	word := mix(v.seed + v.cursor.Add(1)*golden)
	pos, w := v.choose(below(word, n))
	if n > 1 {
		w.memo = uint64(v.others.draw(mix(word)))
	}
	return pos, w
}

func (random) Next(v *View, w Walk) (int, Walk) {
	if w.left == 0 {
		return -1, w
	}
	at := v.candidate(w, w.step)
	w.step++
	w.left--
	return int(v.eligible[at]), w
}

// shuffle gives the view its own random sequence, which depends on how many picks there were before it and not on how many
// views, and what the orders of its picks are made of.
func (v *View) shuffle(seed uint64) {
	v.seed = mix(seed + v.picks*golden)
	n := uint32(len(v.eligible))
	v.all = newShuffler(n, mix(v.seed^1))
	v.others = newShuffler(max(n, 1)-1, mix(v.seed^2))
}

// candidate returns the i-th index of a shuffled walk: where it began, then all others in the walk's order.
func (v *View) candidate(w Walk, i uint32) uint32 {
	o := order(w.memo &^ pairBit)
	switch i {
	case 0:
		return w.at
	case 1: // as below, without a division: a pick of two looks no further
		return v.wrap(w.at + 1 + o.start())
	}
	return v.wrap(w.at + 1 + v.others.at(o, i-1))
}
