// Package register lists the module's providers for generated hosts. Importing it does nothing.
package register

import (
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Providers returns the Workers plugin, a fresh value each time.
//
// Safe for concurrent use.
func Providers() []wago.PluginProvider { return []wago.PluginProvider{workers.Provider()} }
