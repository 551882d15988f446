package cli

import (
	"os"

	"golang.org/x/term"
)

// Streams is what surrounds the command.
type Streams struct{ Stdin, Stdout, Stderr *os.File }

// Process returns the process's own.
func Process() Streams { return Streams{os.Stdin, os.Stdout, os.Stderr} }

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
