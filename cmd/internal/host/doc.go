// Package host makes a Wago runtime with the plugins that the command needs: Workers, Pool, WASI and the command's own. It shows
// what an embedder writes: providers, and for each a selection that repeats what its definition asks for.
package host
