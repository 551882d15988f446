package guest

import (
	"encoding/binary"
	"unicode/utf16"

	"github.com/wago-org/wago"
)

// view returns the guest's own bytes at ptr, good until the host function returns.
func view(m wago.HostModule, ptr, length uint32) ([]byte, error) {
	memory := m.Memory()
	if end := uint64(ptr) + uint64(length); end > uint64(len(memory)) {
		return nil, &RangeError{Pointer: ptr, Length: length, Memory: len(memory)}
	}
	return memory[ptr:][:length:length], nil
}

// maxAbortText bounds what is taken of an aborting guest's strings (bytes).
const maxAbortText = 1 << 10

// scriptString reads an AssemblyScript string: UTF-16 whose length in bytes is in the four bytes before. It returns "" for none
// and for a pointer that is none.
func scriptString(m wago.HostModule, ptr uint32) string {
	if ptr < 4 {
		return ""
	}
	head, err := view(m, ptr-4, 4)
	if err != nil {
		return ""
	}
	text, err := view(m, ptr, min(binary.LittleEndian.Uint32(head), maxAbortText)&^1)
	if err != nil {
		return ""
	}
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(text[2*i:])
	}
	return string(utf16.Decode(units))
}
