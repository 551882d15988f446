// Package script plays golden scripts: files of commands and of the text that they print. A script moves Pool's service and
// the guests of its workers step by step, with a clock of its own, and shows what every step returned, what every observer
// was told, and the ledger; so a change of behaviour is a diff that can be read.
//
// A file is a sequence of blocks:
//
//	# a comment
//	create a min=2
//	submit a 1 2 3
//	----
//	pool a
//	  created a
//	  ...
//
// Above the line are commands, below it, up to the next empty line, is what they print. What a command prints: its own
// result; waits that it ended; tasks that workers took; then, indented, the events it caused, in order. After every command
// the ledger of each pool is held against itself, against what callers were told and against what guests had in hand.
//
// The verbs are listed in [Verbs]. Pools have the names that create gives them; workers have the numbers that Workers gives
// them, from 1 on. A worker does nothing but what it is told: "take" has it ask for a task, which it then has in hand.
package script
