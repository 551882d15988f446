// Package register is the explicit catalog of the plugins in this module. Importing it does nothing.
package register

import (
	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// Providers returns the module's providers, fresh values each time.
//
// Safe for concurrent use.
func Providers() []wago.PluginProvider { return []wago.PluginProvider{pool.Provider()} }
