package supervise

import "fmt"

// Policy says which exits call for a replacement. The zero Policy is none; in a [Config] it stands for
// OnFailure.
//
// Safe for concurrent use.
type Policy uint8

const (
	// OnFailure replaces a worker unless it returned cleanly.
	OnFailure Policy = iota + 1
	// Always replaces a worker however it ended.
	Always
	// Never replaces none.
	Never
)

var policyNames = [...]string{OnFailure: "on_failure", Always: "always", Never: "never"}

// Valid reports whether p is one of the policies.
//
// Safe for concurrent use.
func (p Policy) Valid() bool { return p >= OnFailure && p <= Never }

// String returns the policy's name in snake_case, or Policy(n) for a value that is none.
//
// Safe for concurrent use.
func (p Policy) String() string {
	if !p.Valid() {
		return fmt.Sprintf("Policy(%d)", uint8(p))
	}
	return policyNames[p]
}

// MarshalText returns the name [Policy.String] gives. It fails with [ErrUnknownPolicy] for a value that is
// no policy.
//
// Safe for concurrent use.
func (p Policy) MarshalText() ([]byte, error) {
	if !p.Valid() {
		return nil, fmt.Errorf("%w: %d is not in %d to %d", ErrUnknownPolicy, uint8(p), OnFailure, Never)
	}
	return []byte(policyNames[p]), nil
}

// UnmarshalText sets p from a name in the spelling of [Policy.String], exactly. It fails with
// [ErrUnknownPolicy], leaving p as it was, for any other text.
//
// Not safe for concurrent use; its owner guards it.
func (p *Policy) UnmarshalText(text []byte) error {
	for policy := OnFailure; policy <= Never; policy++ {
		if policyNames[policy] == string(text) {
			*p = policy
			return nil
		}
	}
	return fmt.Errorf("%w: %q", ErrUnknownPolicy, text)
}

// replaces reports whether the policy wants a worker that ended so replaced.
func (p Policy) replaces(e Exit) bool { return p == Always || p == OnFailure && e.Failed }
