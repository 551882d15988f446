package strategy

import "math/bits"

// golden is 2^64 over the golden ratio: the step of a Weyl sequence.
const golden = 0x9e3779b97f4a7c15

// mix is one step of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
// It maps distinct words to distinct words and looks random in every bit, so mix(seed + i*golden) is a
// random sequence whose i-th element needs no state but i.
func mix(x uint64) uint64 {
	x += golden
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below maps a random word to 0 … n-1 by multiplication (Lemire: Fast Random Integer Generation in an
// Interval, 2019). For n below 2^32 the bias is under 2^-32.
func below(word uint64, n uint32) uint32 {
	high, _ := bits.Mul64(word, uint64(n))
	return uint32(high)
}
