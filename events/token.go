package events

import "strconv"

// Subscription is the token of a subscription: whoever holds it can end it. It can be compared and used as a map key.
// The zero Subscription is none.
//
// Safe for concurrent use.
type Subscription struct {
	issuer *issuer
	id     uint64
}

// String names the subscription within its bus, such as "subscription 3".
func (s Subscription) String() string {
	if s.issuer == nil {
		return "no subscription"
	}
	return "subscription " + strconv.FormatUint(s.id, 10)
}

// issuer issues the tokens of one bus. Its address is what other code can't make up; it holds the bus itself out of
// the token, so that a token kept for long keeps nothing else.
//
// Not safe for concurrent use; its bus guards it.
type issuer struct {
	last uint64 // the last id issued
}

func (i *issuer) issue() Subscription {
	i.last++
	return Subscription{issuer: i, id: i.last}
}

// issued reports whether s came from issue.
func (i *issuer) issued(s Subscription) bool {
	return s.issuer == i && 0 < s.id && s.id <= i.last
}
