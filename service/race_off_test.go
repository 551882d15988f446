//go:build !race

package service_test

// slack widens bounds on time and memory: the race detector slows everything down.
const slack = 1
