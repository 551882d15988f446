// Package events is an ordered event bus for publishers that must not wait. It knows nothing of what it carries.
//
// A [Bus] numbers each event and puts a copy into the bounded queue of every subscription; each subscription has
// a goroutine of its own that calls its observer, one event at a time. So an observer that is slow, stuck, panics
// or ends its goroutine costs the publisher and the other observers nothing.
//
// A queue that is full loses events, and says so: where the gap is, the observer gets one event made by
// [Config].Lost, with the number of events lost and the sequence number of the last. So what an observer received and
// what it was told it lost add up to what was published, up to the last of them. From 7/8 full, events that [Config].Expendable names are given up first, so that the others
// keep their place.
//
// A subscription is owned by whoever holds its token. [Bus.Unsubscribe] is a barrier: when it has returned nil, the
// observer isn't running and never will again. The one place where that can't be had is inside the observer
// itself, and there it says so at once instead of waiting for itself.
//
// Locks, in order: Bus.mu, then observer.mu; failures.mu by itself. None is held while an observer runs. There are no
// goroutines but one per subscription, and [Bus.Close] waits for each of them.
package events
