// Command consumer is a plugin that uses Pool, and the program around it: it has guests turn its arguments into capitals.
//
//	go run ./examples/consumer hello wide world
//
// Read plugin.go first: the plugin. shout.wat is the guest.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/JairusSW/pool/register"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

//go:embed shout.wasm
var guest []byte

func main() {
	if err := run(context.Background(), os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run prints each word in capitals, in order. Words that failed are in the error.
func run(ctx context.Context, out io.Writer, words []string) (err error) {
	p := &shout{words: words, answers: make([]answer, len(words))}
	runtime := wago.NewRuntime()
	defer func() { err = errors.Join(err, runtime.Close()) }()
	plugins, err := wago.SelectAll(append(register.Providers(), workers.Provider(), p.provider()), nil)
	if err != nil {
		return err
	}
	if err := runtime.LoadPlugins(ctx, plugins); err != nil {
		return err
	}
	module, err := runtime.Compile(guest)
	if err != nil {
		return err
	}
	owner, err := runtime.Instantiate(ctx, module)
	if err != nil {
		return err
	}
	if _, err := owner.InvokeContext(ctx, "main"); err != nil {
		return err
	}
	return p.print(out)
}

func (p *shout) print(out io.Writer) (failed error) {
	for _, a := range p.answers {
		if a.err != nil {
			failed = errors.Join(failed, a.err)
			continue
		}
		if _, err := fmt.Fprintf(out, "%s\n", a.text); err != nil {
			return err
		}
	}
	return failed
}
