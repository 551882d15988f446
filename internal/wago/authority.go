package wago

import "github.com/wago-org/wago/internal/manifest"

// Authorities: what plugins ask for and operators grant.
type (
	// Authority names one power a plugin can hold. Names match exactly.
	Authority = manifest.Authority
	// AuthorityMode says whether a plugin can do without an authority.
	AuthorityMode = manifest.AuthorityMode
	// AuthorityScope narrows an authority.
	AuthorityScope = manifest.AuthorityScope
	// AuthorityRequest is what a definition asks for, and why.
	AuthorityRequest = manifest.AuthorityRequest
	// AuthorityGrant is what an operator allows: never more than the request.
	AuthorityGrant = manifest.AuthorityGrant
)

// The modes of an authority request.
const (
	AuthorityRequired AuthorityMode = "required"
	AuthorityOptional AuthorityMode = "optional"
)

// The authorities. Import modules narrow the ones that define something guests import; instance limits narrow the ones that
// create instances; the others take no scope.
const (
	AuthorityHostImportDefine             = manifest.AuthorityHostImportDefine
	AuthorityHostCallerIdentify           = manifest.AuthorityHostCallerIdentify
	AuthorityHostArgumentsRead            = manifest.AuthorityHostArgumentsRead
	AuthorityRuntimeCloseObserve          = manifest.AuthorityRuntimeCloseObserve
	AuthorityModuleSourceTransform        = manifest.AuthorityModuleSourceTransform
	AuthorityModuleCompileObserve         = manifest.AuthorityModuleCompileObserve
	AuthorityModuleCloseObserve           = manifest.AuthorityModuleCloseObserve
	AuthorityInstanceInstantiateIntercept = manifest.AuthorityInstanceInstantiateIntercept
	AuthorityInstanceInstantiateObserve   = manifest.AuthorityInstanceInstantiateObserve
	AuthorityInstanceCloseObserve         = manifest.AuthorityInstanceCloseObserve
	AuthorityInstanceInvokeIntercept      = manifest.AuthorityInstanceInvokeIntercept
	AuthorityInstanceInvokeObserve        = manifest.AuthorityInstanceInvokeObserve
	AuthorityInstanceManage               = manifest.AuthorityInstanceManage
	AuthorityCoreModuleCompile            = manifest.AuthorityCoreModuleCompile
	AuthorityCoreInstanceInstantiate      = manifest.AuthorityCoreInstanceInstantiate
	AuthorityCoreFuncRefCreate            = manifest.AuthorityCoreFuncRefCreate
	AuthorityCompilerTypeDefine           = manifest.AuthorityCompilerTypeDefine
	AuthorityCompilerInstructionDefine    = manifest.AuthorityCompilerInstructionDefine
)
