package wago

import (
	"errors"
	"maps"
	"slices"
)

// InstantiateOption configures one instantiation.
type InstantiateOption func(*instantiateOptions)

type instantiateOptions struct {
	imports Imports
	policy  Policy
	errs    []error
}

func collect(opts []InstantiateOption) (instantiateOptions, error) {
	var o instantiateOptions
	for _, opt := range opts {
		if opt != nil {
			opt(&o)
		}
	}
	return o, errors.Join(o.errs...)
}

// WithImports adds imports; of two entries with one key the later wins.
func WithImports(imports Imports) InstantiateOption {
	return func(o *instantiateOptions) {
		merged := make(Imports, len(o.imports)+len(imports))
		maps.Copy(merged, o.imports)
		maps.Copy(merged, imports)
		o.imports = merged
	}
}

// WithPolicy limits the instance and its forks; the last policy counts.
func WithPolicy(p Policy) InstantiateOption {
	p.AllowedCapabilities = slices.Clone(p.AllowedCapabilities)
	p.DeniedCapabilities = slices.Clone(p.DeniedCapabilities)
	return func(o *instantiateOptions) { o.policy = p }
}

// GCConfig would configure garbage-collected types, which this host doesn't have.
type GCConfig struct{}

// WithGC is not supported: instantiating with it fails with [ErrUnsupported].
func WithGC(GCConfig) InstantiateOption {
	return func(o *instantiateOptions) { o.errs = append(o.errs, unsupported("WithGC")) }
}

// WithSynchronousHostCalls asks that host functions run on the goroutine that runs the guest. Here they always do.
func WithSynchronousHostCalls() InstantiateOption { return func(*instantiateOptions) {} }
