package console

import (
	"bytes"
	"io"
	"os"

	"github.com/vbauerster/cupwriter"
)

// newScreen returns a writer for the bar that moves the cursor in w, and knows the width if w is a terminal.
func newScreen(w io.Writer) *cupwriter.Writer {
	screen := cupwriter.New(home{w}, true)
	if f, ok := w.(*os.File); ok {
		screen.SetTermFd(int(f.Fd()))
	}
	return screen
}

// home begins each refresh in the first column: a terminal that echoes ^C has moved the cursor from there.
type home struct{ io.Writer }

var escape = []byte("\x1b[")

// Write implements io.Writer.
func (h home) Write(p []byte) (int, error) {
	if bytes.HasPrefix(p, escape) {
		if _, err := io.WriteString(h.Writer, "\r"); err != nil {
			return 0, err
		}
	}
	return h.Writer.Write(p)
}
