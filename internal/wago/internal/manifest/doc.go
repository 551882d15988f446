// Package manifest holds what the plugin host knows about plugins before it runs any of their code: who they are, what they
// ask for, what they offer each other, and in which order they start.
//
// A [PluginDefinition] is what an author publishes; its rules (validate.go) bound every field, its canonical form
// (canonical.go) orders what has no order of its own, and the SHA-256 of that form is its digest: the identity an operator
// approves. A catalog (catalog.go) is the file in which a module lists the definitions it links. A [PluginSelection] is the operator's answer to a definition: this digest, these grants, these
// providers for its contracts, this configuration. [Resolve] (resolve.go) holds the selections against the linked definitions
// and returns the activation order, or the first thing that is wrong.
//
// Nothing here calls a plugin, reads a file or keeps state: every function is a pure function of its arguments and safe for
// concurrent use. Values handed out share no memory with values handed in.
//
// Errors are [*PluginError] values which name the plugin, the phase and the path of the field, and wrap one of the constants
// in errors.go.
package manifest
