package strategy

// powerOfTwo samples two different eligible slots and takes the one with the lower load (Mitzenmacher: The
// Power of Two Choices in Randomized Load Balancing, 1996).
//
// The sample is drawn without replacement. Picks go in rounds: in each, every slot is the first of a pair
// once and the second of a pair once, in a random order; and from round to round, at random, the distance
// between the two runs through all there are. So in n·(n-1) picks of n slots every ordered pair comes
// exactly once, and the first of a pair can win ties without favouring anybody: idle slots get equal
// shares, not shares that are equal on average.
//
// A spill goes on in the same manner: to the other of the pair, then through the rest in a random order,
// two at a time, the one with the lower load first.
type powerOfTwo struct{ seed uint64 }

var _ Picker = powerOfTwo{}

func (p powerOfTwo) View(prev *View, entries []Entry) *View {
	v := newView(prev, entries)
	v.shuffle(p.seed)
	return v
}

func (powerOfTwo) First(v *View, _ uint64) (int, Walk) {
	switch len(v.eligible) {
	case 0:
		return -1, Walk{}
	case 1:
		return v.choose(0)
	}
	w := v.pair(v.cursor.Add(1) - 1)
	return v.lower(w, w.at, v.candidate(w, 1))
}

func (powerOfTwo) Next(v *View, w Walk) (int, Walk) {
	if w.left == 0 {
		return -1, w
	}
	return v.nextOfPairs(w)
}

// pairBit, in the memo of a walk, says that the second of the pair in hand was returned first.
const pairBit = 1 << 63

// pair returns the walk whose first two candidates are the pair of the given turn.
func (v *View) pair(turn uint64) Walk {
	n := uint64(len(v.eligible))
	round, place := turn/n, uint32(turn%n)
	lap, step := round/(n-1), uint32(round%(n-1))
	firsts := v.all.draw(mix(v.seed + round*golden))
	distances := v.others.draw(mix(^v.seed + lap*golden))
	return Walk{
		at:   v.all.at(firsts, place),
		left: uint32(n),
		memo: uint64(v.others.from(distances, step)),
	}
}

// nextOfPairs returns the candidates of w two by two, the one with the lower load first.
func (v *View) nextOfPairs(w Walk) (int, Walk) {
	at := v.candidate(w, w.step)
	switch {
	case w.step%2 == 0 && w.left > 1:
		return v.lower(w, at, v.candidate(w, w.step+1))
	case w.step%2 == 1 && w.memo&pairBit != 0: // the first of the pair in hand is left
		at = v.candidate(w, w.step-1)
	}
	w.step++
	w.left--
	return int(v.eligible[at]), w
}

// lower returns the one of a pair with the lower load, the first if they are equal; the other is next. The
// pair are indices into the eligible positions.
func (v *View) lower(w Walk, first, second uint32) (int, Walk) {
	w.memo &^= pairBit
	if v.loads[second].Load() < v.loads[first].Load() {
		w.memo |= pairBit
		first = second
	}
	w.step++
	w.left--
	return int(v.eligible[first]), w
}
