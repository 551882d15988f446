// Package direct is the other side of the benchmarks: the same guests on wazero itself, as one uses it without this project.
// An [Engine] compiles a guest, plain or with wazero's own way of stopping it; an [Instance] does one task in a call of
// [Instance.Do], or all that come through a Go channel in a call of [Instance.Serve].
package direct
