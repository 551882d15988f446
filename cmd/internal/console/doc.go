// Package console writes what the command says besides the replies: lines on standard error and, while a run lasts, a progress bar
// below them. Everything that goes to the terminal while the bar is there goes through it, so that neither tears the other.
package console
