package wago

import (
	"crypto/sha256"
	"sync/atomic"
)

// identities numbers everything that has an identity. One counter for the process makes an identity of one runtime unequal to
// every identity of another.
var identities atomic.Uint64

func nextIdentity() uint64 { return identities.Add(1) }

// InstanceIdentity tells instances apart. It is comparable, usable as a map key, never reused in a process, and outlives its
// instance without keeping anything alive. The zero identity names no instance.
//
// Safe for concurrent use.
type InstanceIdentity struct{ n uint64 }

// IsZero reports whether the identity names no instance.
func (id InstanceIdentity) IsZero() bool { return id.n == 0 }

// ModuleIdentity tells modules apart, as [InstanceIdentity] does instances.
//
// Safe for concurrent use.
type ModuleIdentity struct{ n uint64 }

// IsZero reports whether the identity names no module.
func (id ModuleIdentity) IsZero() bool { return id.n == 0 }

// CompilationIdentity joins the events of one call of [Runtime.Compile]. It is comparable and never reused in a process.
//
// Safe for concurrent use.
type CompilationIdentity struct{ n uint64 }

// IsZero reports whether the identity names no compilation.
func (id CompilationIdentity) IsZero() bool { return id.n == 0 }

// OperationIdentity joins the request and the event of one [Instance.Call]. It is comparable and never reused in a process.
//
// Safe for concurrent use.
type OperationIdentity struct{ n uint64 }

// ModuleSourceDigest is the SHA-256 of a module's bytes as given to [Runtime.Compile]. It is comparable.
//
// Safe for concurrent use.
type ModuleSourceDigest struct{ sum [sha256.Size]byte }

// DigestModuleSource returns the digest of a module's bytes.
//
// Safe for concurrent use.
func DigestModuleSource(source []byte) ModuleSourceDigest {
	return ModuleSourceDigest{sum: sha256.Sum256(source)}
}

// IsZero reports whether the digest was never computed.
func (d ModuleSourceDigest) IsZero() bool { return d == ModuleSourceDigest{} }
