package cli

import (
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/JairusSW/pool/cmd/internal/run"
)

// standard is how a flag names the standard stream.
const standard = "-"

// open opens everything that the command line names. What is in the output stays there until there is something to write.
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
	if err := f.openOutput(c.Output, c.Guest); err != nil {
		_ = f.close()
		return nil, fmt.Errorf("%w: %w", run.ErrOutput, err)
	}
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

// openOutput opens the output, unless that is what is read.
func (f *files) openOutput(name, guest string) error {
	f.replies = f.output
	if name != "" && name != standard {
		if info, err := os.Stat(name); err == nil && isGuest(info, guest) {
			return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("is the guest")}
		}
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			return err
		}
		f.output, f.late = file, &lateOutput{file: file}
		f.replies = f.late
		f.opened = append(f.opened, file)
	}
	output, err := f.output.Stat()
	if err != nil {
		return err
	}
	if input, err := f.input.Stat(); err == nil && os.SameFile(input, output) && output.Mode().IsRegular() {
		return &fs.PathError{Op: "open", Path: f.output.Name(), Err: fmt.Errorf("is the input")}
	}
	return nil
}

func isGuest(output fs.FileInfo, guest string) bool {
	info, err := os.Stat(guest)
	return err == nil && os.SameFile(info, output)
}

// lateOutput is a file that is emptied by the first that is written, or when nothing is to be.
//
// Safe for concurrent use.
type lateOutput struct {
	file    *os.File
	emptied sync.Once
	err     error // of emptying it
}

func (o *lateOutput) Write(p []byte) (int, error) {
	if err := o.empty(); err != nil {
		return 0, err
	}
	return o.file.Write(p)
}

// empty drops what the file had before, once. What is no regular file has nothing.
func (o *lateOutput) empty() error {
	o.emptied.Do(func() {
		var info fs.FileInfo
		if info, o.err = o.file.Stat(); o.err == nil && info.Mode().IsRegular() {
			o.err = o.file.Truncate(0)
		}
	})
	return o.err
}

// finish empties an output into which nothing was written, if the run came so far that something might have been.
func (f *files) finish(began bool) error {
	if f.late == nil || !began {
		return nil
	}
	return f.late.empty()
}
