package wasi

import (
	"io"
	"io/fs"

	"github.com/wago-org/wago"
)

// PluginID is the plugin's ID.
const PluginID = "github.com/wago-org/wago/wasi"

// Options says what guests find behind their WASI imports. The zero value gives nothing. Readers and writers must be safe
// for concurrent use: guests run in parallel.
type Options struct {
	Stdin          io.Reader // defaults to no input
	Stdout, Stderr io.Writer // default to discarding the output
	Args           []string  // the program's name first; defaults to "guest"
	Env            []string  // "NAME=value"; defaults to none
	FS             fs.FS     // mounted read-only at "/"; defaults to no files
}

// Definition returns the plugin's identity: a fresh value each time.
func Definition() wago.PluginDefinition {
	return wago.PluginDefinition{
		ID:            PluginID,
		Name:          "WASI",
		Version:       wago.Version,
		Description:   "WASI preview 1 for guests: no files, no environment, output discarded, unless the embedder gives more",
		Stability:     wago.Experimental,
		Compatibility: wago.Compatibility{Engines: map[string]string{"wago": ">=0.1.0"}},
		Provenance: wago.PluginProvenance{
			Repository: "https://github.com/wago-org/wago",
			License:    "Apache-2.0",
		},
		Authorities: []wago.AuthorityRequest{{
			Name:   wago.AuthorityHostImportDefine,
			Mode:   wago.AuthorityRequired,
			Reason: "answer the WASI imports of guests",
			Scope:  wago.AuthorityScope{Modules: []string{wago.WASIModule}},
		}},
	}
}

// Provider returns the plugin with what it is to give to guests.
func Provider(o Options) wago.PluginProvider {
	return wago.PluginProvider{
		Definition: Definition(),
		New:        func() wago.Plugin { return plugin{o} },
	}
}

type plugin struct{ options Options }

// Register asks the host to answer WASI's imports.
func (p plugin) Register(r *wago.Registrar) error {
	imports, err := r.HostImports()
	if err != nil {
		return err
	}
	return imports.WASI(wago.WASIConfig(p.options))
}
