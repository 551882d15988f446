package service_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// FuzzThePoolsBehaveAsTheirModel has the fuzzer choose what is done to the service and to its model: a byte is a choice.
func FuzzThePoolsBehaveAsTheirModel(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 24 {
		text := make([]byte, 50*(n+1))
		for i := range text {
			text[i] = byte(random.Uint32())
		}
		f.Add(text)
	}
	check := rapid.MakeFuzz(poolsBehaveAsTheirModel)
	f.Fuzz(func(t *testing.T, text []byte) { check(t, drawn(text)) })
}

// drawn makes bytes what rapid draws: a word of eight for each choice, large where the byte is. Where the same byte comes again
// and again the choice changes now and then, because rapid gives up where nothing can be done. Zeros at the end are the
// plainest choices, among them that it is enough.
func drawn(text []byte) []byte {
	var words []byte
	for i, b := range text {
		words = append(words, bytes.Repeat([]byte{b + 37*byte(i/8)}, 8)...)
	}
	return append(words, make([]byte, 8*60)...)
}
