package strategy

// consistentHash takes the slot that owns the task's key on a hash ring (Karger et al.: Consistent Hashing
// and Random Trees, 1997). The ring is made of slots, not of workers, and of all slots listed, eligible or
// not: a worker that dies and is replaced moves no key for good, and while it is away only its own keys go
// elsewhere, each to the next slot on the ring. A spill goes on along the ring.
type consistentHash struct {
	seed     uint64
	replicas uint32
}

var _ Picker = consistentHash{}

func newConsistentHash(options Options) consistentHash {
	p := consistentHash{seed: options.Seed, replicas: options.Replicas}
	if p.replicas == 0 {
		p.replicas = DefaultReplicas
	}
	return p
}

func (p consistentHash) View(prev *View, entries []Entry) *View {
	v := newView(prev, entries)
	var old *ring
	if prev != nil {
		old = prev.ring
	}
	v.ring = p.ring(old, v.entries)
	return v
}

func (p consistentHash) First(v *View, key uint64) (int, Walk) {
	if len(v.eligible) == 0 {
		return -1, Walk{}
	}
	at, n := v.ring.find(hashKey(p.seed, key)), uint32(len(v.eligible))
	if owner := v.ring.owner(at); int(n) == len(v.entries) || v.entries[owner].Eligible {
		return int(owner), Walk{at: at, step: 1, left: n - 1}
	}
	return v.along(Walk{at: at, left: n})
}

func (consistentHash) Next(v *View, w Walk) (int, Walk) {
	if w.left == 0 {
		return -1, w
	}
	return v.along(w)
}

// along returns the next eligible position on the ring that the walk hasn't passed yet. There is one:
// w.left is above zero.
func (v *View) along(w Walk) (int, Walk) {
	points := v.ring.points
	at := uint64(w.at) + uint64(w.step)
	for ; ; at++ {
		if at >= uint64(len(points)) {
			at -= uint64(len(points))
		}
		owner := points[at].owner()
		first := v.ring.gaps[at] > w.step // its owner's point before lies before the walk's start
		w.step++
		if first && v.entries[owner].Eligible {
			w.left--
			return int(owner), w
		}
	}
}
