package strategy

import "fmt"

// Kind names a strategy. The zero Kind is none of them.
//
// Safe for concurrent use.
type Kind uint8

const (
	// RoundRobin takes the eligible slots in turn.
	RoundRobin Kind = iota + 1
	// LeastLoaded takes the eligible slot with the lowest load; it looks at all of them.
	LeastLoaded
	// Random takes any eligible slot, each as likely as the next.
	Random
	// PowerOfTwo samples two different eligible slots and takes the one with the lower load.
	PowerOfTwo
	// ConsistentHash takes the slot that owns the task's key on a hash ring.
	ConsistentHash
	// Broadcast takes every eligible slot.
	Broadcast
)

// lastKind is the highest.
const lastKind = Broadcast

var kindNames = [...]string{
	RoundRobin:     "round_robin",
	LeastLoaded:    "least_loaded",
	Random:         "random",
	PowerOfTwo:     "power_of_two",
	ConsistentHash: "consistent_hash",
	Broadcast:      "broadcast",
}

// Valid reports whether k is one of the strategies.
//
// Safe for concurrent use.
func (k Kind) Valid() bool { return k >= RoundRobin && k <= lastKind }

// String returns the strategy's name in snake_case, or Kind(n) for a value that is none.
//
// Safe for concurrent use.
func (k Kind) String() string {
	if !k.Valid() {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// MarshalText returns the name [Kind.String] gives. It fails with [ErrUnknownKind] for a value that is no
// strategy.
//
// Safe for concurrent use.
func (k Kind) MarshalText() ([]byte, error) {
	if !k.Valid() {
		return nil, fmt.Errorf("%w: %d is not in %d to %d", ErrUnknownKind, uint8(k), RoundRobin, lastKind)
	}
	return []byte(kindNames[k]), nil
}

// UnmarshalText sets k from a name in the spelling of [Kind.String], exactly. It fails with
// [ErrUnknownKind], leaving k as it was, for any other text.
//
// Not safe for concurrent use; its owner guards it.
func (k *Kind) UnmarshalText(text []byte) error {
	for kind := RoundRobin; kind <= lastKind; kind++ {
		if kindNames[kind] == string(text) {
			*k = kind
			return nil
		}
	}
	return fmt.Errorf("%w: %q", ErrUnknownKind, text)
}
