package workers

import "sync/atomic"

// Subscription stands for an observer. It is comparable; the zero subscription stands for nothing.
//
// Safe for concurrent use.
type Subscription struct {
	issuer *SubscriptionIssuer
	n      uint64
}

// SubscriptionIssuer makes subscriptions, for implementations of [Service]. The zero value is ready to use.
//
// Safe for concurrent use.
type SubscriptionIssuer struct{ n atomic.Uint64 }

// Issue returns a new subscription. It never returns the same one twice.
//
// Safe for concurrent use.
func (i *SubscriptionIssuer) Issue() Subscription { return Subscription{issuer: i, n: i.n.Add(1)} }

// Issued reports whether the subscription was issued here.
//
// Safe for concurrent use.
func (i *SubscriptionIssuer) Issued(s Subscription) bool { return s.issuer == i && s.n != 0 }
