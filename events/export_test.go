package events

// NeverIssued returns a token of the bus that issued s, with an id that it hasn't issued.
func NeverIssued(s Subscription) Subscription {
	return Subscription{issuer: s.issuer, id: s.issuer.last + 1}
}

// Running returns how many subscriptions have a goroutine.
func Running[E any](b *Bus[E]) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.running)
}

// MaxFailures is the number of subscriptions whose failures are kept.
const MaxFailures = maxFailures

// GoroutineID returns the id of the calling goroutine.
var GoroutineID = goroutineID
