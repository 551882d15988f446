package linear

// Kind says where memories come from.
type Kind uint8

const (
	// Default is Mapped where that is [Supported], else Heap.
	Default Kind = iota
	// Mapped memories are mapped from the system: see the package.
	Mapped
	// Heap memories are the Go heap's: growing may copy them, and what is written to once stays resident.
	Heap
)

// Supported reports whether memories can be mapped: on Linux, where addresses have 64 bits. With 32, reserving what a few
// guests may grow to would take them all.
const Supported = onLinux && ^uint(0)>>32 != 0

// Resolve returns the kind that k stands for on this system.
func (k Kind) Resolve() Kind {
	switch {
	case k != Default:
		return k
	case Supported:
		return Mapped
	}
	return Heap
}
