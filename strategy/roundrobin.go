package strategy

// roundRobin takes the eligible slots in turn. Its cursor is a place in the order of slots: the first pick
// of a new view is the successor of the last pick before it, so a change of membership neither starts over
// nor skips anybody.
type roundRobin struct{}

var _ Picker = roundRobin{}

func (roundRobin) View(prev *View, entries []Entry) *View {
	v := newView(prev, entries)
	if prev == nil {
		return v
	}
	last := prev.last
	if picks := prev.cursor.Load(); picks > 0 {
		last = prev.slotAt((prev.start + picks - 1) % uint64(len(prev.eligible)))
	}
	v.resumeAfter(last)
	return v
}

func (roundRobin) First(v *View, _ uint64) (int, Walk) {
	n := uint64(len(v.eligible))
	if n == 0 {
		return -1, Walk{}
	}
	// Taking a number is one atomic addition: no two picks of a view get the same one, so their counts
	// differ by one at most.
	picks := v.cursor.Add(1) - 1
	return v.choose(uint32((v.start + picks) % n))
}

func (roundRobin) Next(v *View, w Walk) (int, Walk) { return v.around(w) }
