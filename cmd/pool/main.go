// Command pool runs a WebAssembly guest over a stream of records, in parallel and supervised.
package main

import (
	"os"

	"github.com/JairusSW/pool/cmd/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], cli.Process())) }
