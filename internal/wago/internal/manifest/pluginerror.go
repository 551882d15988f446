package manifest

import (
	"errors"
	"strings"
)

// PluginPhase names the step of a plugin's life in which an error happened.
type PluginPhase string

// The phases, in the order a plugin goes through them.
const (
	PluginPhaseValidate  PluginPhase = "validate"  // the definition, catalog or selection by itself
	PluginPhaseResolve   PluginPhase = "resolve"   // the selections against the definitions and each other
	PluginPhaseAuthorize PluginPhase = "authorize" // grants against requests, and use against grants
	PluginPhaseConfigure PluginPhase = "configure" // ValidateConfig and Registrar.Config
	PluginPhaseRegister  PluginPhase = "register"  // New and Register
	PluginPhaseCommit    PluginPhase = "commit"    // publishing all contributions at once
	PluginPhaseStart     PluginPhase = "start"     // the Start hook
	PluginPhaseStop      PluginPhase = "stop"      // the Stop hook
)

// PluginError says which plugin failed, in which phase, and where. Err is never nil; errors.Is and errors.As look through
// it. Immutable after it is returned, so safe for concurrent use.
type PluginError struct {
	Plugin    string      // plugin ID; empty when the ID itself is missing
	Phase     PluginPhase // step of the plugin's life
	Authority Authority   // authority concerned; empty when none is
	Path      string      // JSON-style path of the field concerned, for example "authorities[1].scope"; may be empty
	Err       error       // what went wrong
}

// Error names everything that is set, on one line.
func (e *PluginError) Error() string {
	var b strings.Builder
	b.WriteString("plugin ")
	if e.Plugin == "" {
		b.WriteString("(no id)")
	} else {
		b.WriteString(e.Plugin)
	}
	b.WriteString(": " + string(e.Phase))
	if e.Authority != "" {
		b.WriteString(" " + string(e.Authority))
	}
	if e.Path != "" {
		b.WriteString(" " + e.Path)
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap returns Err.
func (e *PluginError) Unwrap() error { return e.Err }

// fault is a refusal and the place of it, before it is known to which plugin and phase it belongs.
type fault struct {
	path string
	err  error
}

func (f *fault) Error() string { return f.path + ": " + f.err.Error() }

// pluginError names the plugin and phase of an error, and its place if it is a fault.
func pluginError(id string, phase PluginPhase, err error) *PluginError {
	var f *fault
	if errors.As(err, &f) {
		return &PluginError{Plugin: id, Phase: phase, Path: f.path, Err: f.err}
	}
	return &PluginError{Plugin: id, Phase: phase, Err: err}
}
