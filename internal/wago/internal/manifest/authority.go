package manifest

// Authority names one power a plugin can hold. Names match exactly: dots imply no hierarchy and there are no wildcards.
type Authority string

// The authorities, with the scope each one takes: none, import modules, or instance limits.
const (
	AuthorityHostImportDefine             Authority = "host.import.define"             // define host imports; modules
	AuthorityHostCallerIdentify           Authority = "host.caller.identify"           // learn which instance calls; none
	AuthorityHostArgumentsRead            Authority = "host.arguments.read"            // read the guest arguments; none
	AuthorityRuntimeCloseObserve          Authority = "runtime.close.observe"          // hear of the runtime's close; none
	AuthorityModuleSourceTransform        Authority = "module.source.transform"        // rewrite module bytes; none
	AuthorityModuleCompileObserve         Authority = "module.compile.observe"         // hear of compilations; none
	AuthorityModuleCloseObserve           Authority = "module.close.observe"           // hear of module closes; none
	AuthorityInstanceInstantiateIntercept Authority = "instance.instantiate.intercept" // refuse instantiations; none
	AuthorityInstanceInstantiateObserve   Authority = "instance.instantiate.observe"   // hear of instantiations; none
	AuthorityInstanceCloseObserve         Authority = "instance.close.observe"         // hear of instance closes; none
	AuthorityInstanceInvokeIntercept      Authority = "instance.invoke.intercept"      // refuse calls; none
	AuthorityInstanceInvokeObserve        Authority = "instance.invoke.observe"        // hear of calls; none
	AuthorityInstanceManage               Authority = "instance.manage"                // fork and own instances; limits
	AuthorityCoreModuleCompile            Authority = "core.module.compile"            // compile modules; none
	AuthorityCoreInstanceInstantiate      Authority = "core.instance.instantiate"      // instantiate modules; limits
	AuthorityCoreFuncRefCreate            Authority = "core.funcref.create"            // create function references; none
	AuthorityCompilerTypeDefine           Authority = "compiler.type.define"           // define compiler types; modules
	AuthorityCompilerInstructionDefine    Authority = "compiler.instruction.define"    // define instructions; modules
)

// AuthorityMode says whether a plugin can do without an authority.
type AuthorityMode string

// The modes of an authority request.
const (
	AuthorityRequired AuthorityMode = "required" // the plugin doesn't register without it
	AuthorityOptional AuthorityMode = "optional" // the plugin asks Registrar.Granted and adapts
)

// AuthorityScope narrows an authority. Which fields an authority takes is said beside its constant: the others stay zero.
type AuthorityScope struct {
	Modules        []string `json:"modules,omitempty"`        // exact import module names
	MaxInstances   uint32   `json:"maxInstances,omitempty"`   // live instances
	MaxMemoryBytes uint64   `json:"maxMemoryBytes,omitempty"` // bytes, summed over the maxima of live instances' memories
}

// AuthorityRequest is what a definition asks for, and why.
type AuthorityRequest struct {
	Name   Authority      `json:"name"`
	Mode   AuthorityMode  `json:"mode"`
	Reason string         `json:"reason"` // for the person who decides about the grant; not blank
	Scope  AuthorityScope `json:"scope"`
}

// AuthorityGrant is what an operator allows: never more than the request.
type AuthorityGrant struct {
	Name  Authority      `json:"name"`
	Scope AuthorityScope `json:"scope"`
}
