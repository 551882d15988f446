package service

// OverflowPolicy says what a submit does when the worker it chose is full. Its text is snake_case.
//
// Safe for concurrent use.
type OverflowPolicy uint8

// The overflow policies, with the published numbers.
const (
	OverflowSpill  OverflowPolicy = 1 // try every other worker, in the strategy's own preference
	OverflowReject OverflowPolicy = 2 // refuse with ErrPoolBackpressure
	OverflowShed   OverflowPolicy = 3 // drop the new task, count it and answer nil
)

var overflowNames = names[OverflowPolicy]{what: "overflow policy", text: []string{"", "spill", "reject", "shed"}}

// String returns the policy's snake_case name, or "overflow policy N" for an unknown one.
func (o OverflowPolicy) String() string { return overflowNames.string(o) }

// MarshalText returns the policy's snake_case name; unknown policies are an error.
func (o OverflowPolicy) MarshalText() ([]byte, error) { return overflowNames.marshal(o) }

// UnmarshalText accepts exactly what MarshalText returns.
func (o *OverflowPolicy) UnmarshalText(text []byte) error { return overflowNames.unmarshal(o, text) }
