// Package cli is the command line of the pool command: flags, files, signals, the summary and the exit status. The work is done by
// package run.
//
// Flags are kong's: a struct with tags is the whole description, help included, and it brings no dependencies of its own. Progress
// is mpb's (package console): it can print lines above a bar that is on the screen.
package cli
