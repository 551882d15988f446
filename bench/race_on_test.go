//go:build race

package main

// raceDetector: the test is built with the race detector, under which thousands of guests take too long.
const raceDetector = true
