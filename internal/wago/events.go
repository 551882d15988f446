package wago

import "time"

// InstantiateOrigin says who asked for an instance.
type InstantiateOrigin uint8

// The origins.
const (
	InstantiateDirect  InstantiateOrigin = 0 // the embedder, by Runtime.Instantiate
	InstantiateManaged InstantiateOrigin = 1 // a plugin, by InstanceManager.Fork or Instantiate
)

// RuntimeCloseEvent reports that the runtime begins to close.
type RuntimeCloseEvent struct{}

// ModuleSourceContext would accompany the bytes given to a source transformer, which this host doesn't support.
type ModuleSourceContext struct{ Compilation CompilationIdentity }

// ModuleCompiledEvent reports a successful compilation.
type ModuleCompiledEvent struct {
	Compilation  CompilationIdentity
	Module       ModuleView
	SourceDigest ModuleSourceDigest
}

// ModuleCompileErrorEvent reports a failed compilation.
type ModuleCompileErrorEvent struct {
	Compilation CompilationIdentity
	Err         error
}

// ModuleCloseEvent reports that the embedder closed a module. Its instances may live on.
type ModuleCloseEvent struct{ Module ModuleView }

// InstantiationRequest asks an interceptor whether a module may be instantiated.
type InstantiationRequest struct {
	Module ModuleView
	Origin InstantiateOrigin
}

// InstantiationEvent reports an instance whose start section has run.
type InstantiationEvent struct {
	Module   ModuleView
	Instance InstanceIdentity
	Origin   InstantiateOrigin
}

// InstantiationErrorEvent reports an instantiation that failed, was refused, or was interrupted.
type InstantiationErrorEvent struct {
	Module ModuleView
	Origin InstantiateOrigin
	Err    error
}

// InstanceCloseEvent reports that an instance closes (Before) or has been released (After).
type InstanceCloseEvent struct {
	Module   ModuleView
	Instance InstanceIdentity
	Origin   InstantiateOrigin
}

// InvocationRequest asks an interceptor whether a call may be made. Each interceptor gets a copy of the arguments.
type InvocationRequest struct {
	Operation OperationIdentity
	Instance  InstanceIdentity
	Export    string
	Args      []Value
	Start     time.Time
}

// InvocationEvent reports the end of a call that an interceptor let pass.
type InvocationEvent struct {
	Operation OperationIdentity
	Instance  InstanceIdentity
	Export    string
	Results   []Value
	Err       error
	Start     time.Time
}
