//go:build race

package wago_test

// raceDetector: the test is built with the race detector, whose own memory grows with what happens.
const raceDetector = true
