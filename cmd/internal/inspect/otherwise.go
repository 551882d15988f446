package inspect

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// whatElse says what a file is that doesn't begin as a module does.
func whatElse(data []byte) string {
	const magic = "\x00asm"
	switch {
	case len(data) == 0:
		return "it is empty"
	case isText(data):
		return "it is in the text format: build it with wat2wasm"
	case !bytes.HasPrefix(data, []byte(magic)):
		return "no header of version 1"
	case len(data) < len(header):
		return "it ends within its header"
	case data[6] == 1:
		return "it is a component: build a core module"
	}
	return fmt.Sprintf("its version is %d, only 1 is understood", binary.LittleEndian.Uint32(data[len(magic):]))
}

// isText reports whether the first thing behind blanks and comments opens a module's text.
func isText(data []byte) bool {
	for {
		data = bytes.TrimLeft(data, " \t\r\n\ufeff")
		var end []byte
		switch {
		case bytes.HasPrefix(data, []byte(";;")):
			end = []byte("\n")
		case bytes.HasPrefix(data, []byte("(;")):
			end = []byte(";)")
		default:
			return bytes.HasPrefix(data, []byte("(module")) || bytes.HasPrefix(data, []byte("(func"))
		}
		_, rest, found := bytes.Cut(data, end)
		if !found {
			return false
		}
		data = rest
	}
}
