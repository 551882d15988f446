// Package workershost is the real Workers plugin on the real engine, with guests that do what a script says: the harness of
// package workerstest that nothing is faked in.
package workershost
