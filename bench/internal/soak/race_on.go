//go:build race

package soak

// raceDetector: the process keeps a shadow of its memory, which grows for as long as there is memory that was not used before.
const raceDetector = true
