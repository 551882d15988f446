package strategy

import "fmt"

const (
	// DefaultReplicas is how many points a slot has on the ring of [ConsistentHash] unless told otherwise.
	DefaultReplicas uint32 = 160
	// MaxReplicas is the most points a slot may have.
	MaxReplicas uint32 = 4096
)

// Options adjusts a strategy. The zero value is ready to use.
//
// Safe for concurrent use while nobody changes it.
type Options struct {
	// Seed starts the pseudo-random choices of Random and PowerOfTwo and places the ring of ConsistentHash:
	// two pickers with the same seed, given the same views, choose the same. It is used as given, 0
	// included.
	Seed uint64
	// Replicas is the number of points per slot on the ring of ConsistentHash, at most [MaxReplicas]. More
	// points spread keys more evenly and make the ring larger (about 16 bytes a point). Defaults to
	// [DefaultReplicas].
	Replicas uint32
}

// Picker is a strategy: it turns entries into views and views into picks. [New] makes one.
//
// First and Next are safe for concurrent use, also with View; calls of View are serialised by the owner.
type Picker interface {
	// View returns the immutable view of entries that follows prev, which is nil for the first and
	// otherwise what this picker returned last: what the strategy remembers (a cursor, a ring) is carried
	// over from it, by slot. entries are in ascending order of Slot, without duplicates, and of
	// ConsistentHash no more than 1 048 576; View panics otherwise. They are copied.
	View(prev *View, entries []Entry) *View

	// First picks for key and returns the position chosen in the entries of v, and the walk to go on with.
	// The position is -1 if nothing is eligible. v must come from this picker. Only ConsistentHash looks at
	// key. It takes no lock and allocates nothing.
	First(v *View, key uint64) (pos int, w Walk)

	// Next returns the next choice after those w has seen, and the walk to go on with. Following it from
	// First visits every other eligible position of v exactly once, in the strategy's own order of
	// preference, whatever loads do meanwhile, and then returns -1 for good. v must be the view that First
	// was given. It takes no lock and allocates nothing.
	Next(v *View, w Walk) (pos int, next Walk)
}

// Walk is how far one pick has come. It is a value: keep it in a local variable and give it back to
// [Picker.Next]. The zero Walk has nothing left.
//
// Safe for concurrent use: copies are independent.
type Walk struct { // four words, no more: it travels in registers
	at   uint32 // where it began: an index into the eligible positions, or a point of the ring
	step uint32 // what it has used up: candidates, or points of the ring
	left uint32 // eligible positions not yet returned
	memo uint64 // least loaded: which of the block in hand were returned; shuffled walks: an order and a pair
}

// New returns a picker of the given kind. It fails with [ErrUnknownKind], or with [ErrTooManyReplicas]
// whatever the kind is.
//
// Safe for concurrent use.
func New(kind Kind, options Options) (Picker, error) {
	if options.Replicas > MaxReplicas {
		return nil, fmt.Errorf("%w: Replicas %d is above %d", ErrTooManyReplicas, options.Replicas, MaxReplicas)
	}
	switch kind {
	case RoundRobin:
		return roundRobin{}, nil
	case LeastLoaded:
		return leastLoaded{}, nil
	case Random:
		return random{seed: options.Seed}, nil
	case PowerOfTwo:
		return powerOfTwo{seed: options.Seed}, nil
	case ConsistentHash:
		return newConsistentHash(options), nil
	case Broadcast:
		return broadcast{}, nil
	default:
		return nil, fmt.Errorf("%w: %d is not in %d to %d", ErrUnknownKind, uint8(kind), RoundRobin, lastKind)
	}
}
