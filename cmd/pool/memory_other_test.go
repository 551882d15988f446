//go:build !linux

package main_test

import (
	"io"
	"testing"
)

// measured is pool where the command's memory can't be measured.
func measured(t *testing.T, input io.Reader, args ...string) (result, int64) {
	t.Helper()
	return pool(t, input, args...), 0
}
