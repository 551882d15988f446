package wago

// HostModule is what a host function learns about the guest that calls it: the caller. A value is made for each host call
// and is good from the call's entry until the host function returns, on any goroutine. After that, Memory is nil and every
// method of a plugin handle that takes a caller refuses it with [ErrPermissionDenied].
//
// Other implementations of this interface are no callers: they are refused in the same way.
type HostModule interface {
	// Memory returns memory 0 as a live, writable view, or nil when the guest has none or the call has ended. A view is
	// good until the guest runs again: growing the memory may move it.
	//
	// Never keep one after the host function has returned, also not on another goroutine: the memory goes when the instance
	// closes. If it is mapped (see [RuntimeConfig.WithMappedMemory]), touching a view after that is a fault that no recover
	// catches: it ends the process. While the host function runs, the memory stays, whoever stops or closes the instance.
	Memory() []byte
}

// HostFunc is a function that guests import. Parameters and results are slots: i32 and f32 in the low 32 bits, i64 and f64
// whole, references one opaque slot, v128 two slots, low half first. Result slots start at zero. Both slices belong to the
// host and are good until the function returns.
//
// A host function ends its guest's call by panicking with a [HostExit] or a [HostTrap]; any other panic ends the call with a
// [*PanicError], and runtime.Goexit ends it with [ErrCallbackGoexit]. The process lives on in every case. Host calls run
// on the goroutine that runs the guest, so different instances call the same function at the same time.
type HostFunc func(m HostModule, params, results []uint64)

// ExternRef is an opaque reference to a host value. This host has no store for them: see [ExternRefHostModule].
type ExternRef uint64

// ExternRefHostModule is implemented by callers of hosts that can store external references. This host's callers don't
// implement it, so a type assertion tells the two apart.
type ExternRefHostModule interface {
	HostModule
	NewExternRef(any) (ExternRef, error)
	ExternRefValue(ExternRef) (any, bool)
}

// HostFuncRef would be a first-class reference to a host function. This host makes none: [Registrar.CoreFuncRefFactory]
// returns [ErrUnsupported].
type HostFuncRef struct{ _ [0]func() }

// Capability names something a guest can do through an import, for inspection and for [Policy]. It grants nothing by itself.
type Capability string

// The capabilities with a common name; plugins may use others.
const (
	CapTimerRead       Capability = "timer.read"
	CapNetworkOutbound Capability = "net.outbound"
	CapFilesystemRead  Capability = "fs.read"
	CapFilesystemWrite Capability = "fs.write"
	CapHTTPClient      Capability = "http.client"
	CapKVRead          Capability = "kv.read"
	CapKVWrite         Capability = "kv.write"
	CapMetricsWrite    Capability = "metrics.write"
	CapCompilerCodegen Capability = "compiler.codegen"
)

// CapabilityOption adds to the declaration of a capability: see [CapabilityDocs].
type CapabilityOption func(*capabilityInfo)

type capabilityInfo struct{ docs string }

// CapabilityDocs describes the capability to whoever reviews a policy.
func CapabilityDocs(docs string) CapabilityOption {
	return func(c *capabilityInfo) { c.docs = docs }
}
