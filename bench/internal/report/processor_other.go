//go:build !linux

package report

func processor() string { return "" }
