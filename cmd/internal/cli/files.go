package cli

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/JairusSW/pool/cmd/internal/run"
)

// standard is how a flag names the standard stream.
const standard = "-"

// open opens everything that the command line names, the output last so that a mistake elsewhere leaves it alone.
func (c *runCommand) open(streams Streams) (*files, error) {
	f := &files{input: streams.Stdin, output: streams.Stdout}
	var err error
	if f.guest, err = os.ReadFile(c.Guest); err != nil {
		return nil, fmt.Errorf("reading the guest: %w", err)
	}
	if err := f.openInput(c.Input); err != nil {
		_ = f.close()
		return nil, fmt.Errorf("%w: %w", run.ErrInput, err)
	}
	if err := f.openOutput(c.Output); err != nil {
		_ = f.close()
		return nil, fmt.Errorf("%w: %w", run.ErrOutput, err)
	}
	f.replies = f.output
	return f, nil
}

func (f *files) openInput(name string) error {
	if name != "" && name != standard {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		f.input = file
		f.opened = append(f.opened, file)
	}
	info, err := f.input.Stat()
	if err != nil {
		return err
	}
	if info.IsDir() {
		return &fs.PathError{Op: "read", Path: f.input.Name(), Err: fmt.Errorf("is a directory")}
	}
	if info.Mode().IsRegular() {
		f.total = info.Size()
	}
	return nil
}

// openOutput truncates the file, unless it is what is read.
func (f *files) openOutput(name string) error {
	if name == "" || name == standard {
		return nil
	}
	if existing, err := os.Stat(name); err == nil {
		if input, err := f.input.Stat(); err == nil && os.SameFile(input, existing) && existing.Mode().IsRegular() {
			return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("is the input")}
		}
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	f.output = file
	f.opened = append(f.opened, file)
	return nil
}
