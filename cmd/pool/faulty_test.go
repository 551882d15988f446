package main_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each fault costs its own line only, and is named with line number, worker and cause.
func TestAFaultCostsItsOwnLineOnly(t *testing.T) {
	tests := map[string]struct {
		record, cause string // a regular expression
	}{
		"traps":                      {"t", `wasm trap: unreachable.*`},
		"exits with a code":          {"x\x07", `guest exited with code 7`},
		"exits with another code":    {"x\xff", `guest exited with code 255`},
		"exits with 0":               {"x\x00", `the guest gave no reply`},
		"exhausts its stack":         {"r", `wasm trap: stack overflow.*`},
		"exhausts its memory":        {"m", `wasm trap: unreachable.*`},
		"replies twice":              {"2", `the guest replied twice`},
		"gives no reply":             {"0", `the guest gave no reply`},
		"returns without a reply":    {"w", `the guest gave no reply`},
		"replies and fails":          {"b", `the guest replied and failed the record too`},
		"replies with a bad pointer": {"p", `pool.reply: 1 bytes at 4294967280 are outside the guest's memory of 1114112 bytes`},
		"replies with a bad length":  {"h", `pool.reply: 4294967295 bytes at 0 are outside the guest's memory of 1114112 bytes`},
		"asks with a bad buffer":     {"n", `the guest gave no reply`},
		"aborts":                     {"a", `env.abort: the guest aborted: oh n \(a.ts:12:34\)`},
		"fails with a message":       {"fine\x1b[31m\xff", `fine\\x1b\[31m\\xff`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			input := strings.Repeat("ok\n", 500) + test.record + "\n" + strings.Repeat("ok\n", 500)
			result := run(t, "faulty", input)
			assert.Equal(t, 1, result.status)
			assert.Equal(t, strings.Repeat("ok\n", 1000), result.stdout)
			assert.Regexp(t, `^pool: line 501: worker \d+: `+test.cause+`\n$`, result.stderr)
		})
	}
}

func TestWhatIsNoFaultIsServed(t *testing.T) {
	tests := map[string]struct{ record, reply, stderr string }{
		"an empty reply":      {"z", "", `^$`},
		"a reply, then a log": {"log\x07 this", "log\x07 this", `^pool: line 2: worker \d+: log\\a this\n$`},
		"a reply, the return": {"quit", "quit", `^$`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			result := run(t, "faulty", "ok\n"+test.record+"\nok\n")
			assert.Zero(t, result.status)
			assert.Equal(t, "ok\n"+test.reply+"\nok\n", result.stdout)
			assert.Regexp(t, test.stderr, result.stderr)
		})
	}
}

func TestFaultsOfAllKindsAtOnce(t *testing.T) {
	var input, want strings.Builder
	n := sized(3_000, 30_000)
	faults := "tx2bpham0fn"
	failing := 0
	for i := range n {
		record := fmt.Sprintf("ok %d", i)
		if i%9 == 4 {
			record = string(faults[failing%len(faults)]) + "\x05"
			failing++
		} else {
			want.WriteString(record + "\n")
		}
		input.WriteString(record + "\n")
	}
	result := pool(t, strings.NewReader(input.String()), "run", guests+"faulty.wasm", "--workers", "4", "--summary", "json")
	require.Equal(t, 1, result.status)
	equalLines(t, want.String(), result.stdout)
	assert.EqualValues(t, failing, result.account(t).Failed)
	assert.Len(t, result.complaints(), failing+1)
}

func TestWorkersThatEndAreBackWhenRecordsWait(t *testing.T) {
	for _, policy := range []string{"on-failure", "always", "never"} {
		t.Run(policy, func(t *testing.T) {
			input := strings.Repeat("quit\n", 100)
			assert.Equal(t, input, run(t, "faulty", input, "--workers", "2", "--restart", policy).ok(t))
			result := run(t, "faulty", strings.Repeat("trap\n", 50)+input, "--workers", "2", "--restart", policy)
			assert.Equal(t, 1, result.status)
			assert.Equal(t, input, result.stdout)
			assert.Len(t, result.complaints(), 50)
		})
	}
}

func TestAHaltedRunEndsWithTheCause(t *testing.T) {
	const spent = `pool: no workers are left: 5 were replaced within 1m0s, as many as --max-restarts allows: worker \d+ was the last: `
	const untaken = `pool: no workers are left: 16 in a row ended before they took a record`
	const returned = "^" + untaken + ` \(call pool.next in a loop\): worker \d+ (was the last: it )?returned\n$`
	tests := map[string]struct {
		guest, input string
		flags        []string
		want         string
	}{
		"the budget of restarts is spent": {
			"faulty", strings.Repeat("t\n", 100), []string{"--workers", "2", "--max-restarts", "5"}, "\n" + spent + "wasm trap: unreachable",
		},
		"they trap at once":   {"refused/traps", strings.Repeat("a\n", 100), nil, "^" + untaken + `: worker \d+ (was the last|failed): wasm trap: unreachable`},
		"they return at once": {"refused/returns", strings.Repeat("a\n", 100), nil, returned},
		"they return at once, again and again": {
			"refused/returns", strings.Repeat("a\n", 100), []string{"--restart", "always"}, returned,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			result := run(t, test.guest, test.input, test.flags...)
			assert.Equal(t, 2, result.status)
			assert.Regexp(t, test.want, result.stderr)
		})
	}
}

func TestWhatIsFinishedIsWrittenWhenTheRunEndsEarly(t *testing.T) {
	cmd := command(t, "run", guests+"faulty.wasm", "--workers", "1", "--max-restarts", "3", "--summary", "json")
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	require.NoError(t, cmd.Start())
	const finishes = "one\nother\n"
	_, err = io.WriteString(stdin, finishes)
	require.NoError(t, err)
	replies := make([]byte, len(finishes))
	_, err = io.ReadFull(stdout, replies) // both are finished before another is begun: records may begin out of order
	require.NoError(t, err)
	go func() {
		_, _ = io.WriteString(stdin, strings.Repeat("trap\n", 1000)) // the run may end before it has read them
		_ = stdin.Close()
	}()
	more, err := io.ReadAll(stdout)
	require.NoError(t, err)
	result := finished(t, cmd, cmd.Wait(), bytes.NewBuffer(append(replies, more...)), &complaints)
	assert.Equal(t, 2, result.status)
	assert.Equal(t, finishes, result.stdout)
	a := result.account(t)
	assert.EqualValues(t, 2, a.Done)
	assert.EqualValues(t, 4, a.Failed)
	assert.Positive(t, a.NotRun)
}

func TestGuestsThatCantRun(t *testing.T) {
	const cant = "pool: the guest can't run: "
	tests := map[string]string{
		"big-memory":     cant + "its memory begins with 128 MiB, over the limit of 64 MiB: raise --memory-limit",
		"entry-null":     cant + "pool.serve(1): its table has 2 entries, and these can be workers: entry 0\n",
		"entry-range":    cant + "pool.serve(7): its table has 1 entry, and these can be workers: entry 0\n",
		"entry-type":     cant + "no entry of its table is a function without parameters and results, so none can be a worker",
		"foreign-import": cant + "it imports env.print, which is not served: pool.serve|next|read|reply|fail|tag|log, env.abort, ",
		"import-memory":  cant,
		"import-type":    cant + "pool.next is (i32, i32) -> i32, the guest imports it as (i32) -> i64",
		"never-serves":   "pool: the guest never called pool.serve",
		"next-first":     cant + "calling _start: pool.next: only a worker may call it, from the entry that was given to pool.serve",
		"no-start":       cant + `it has no export "_start" to start with: --start could name main`,
		"no-table":       cant + "it has no table, so pool.serve can't name an entry (AssemblyScript: --exportTable)",
		"serve-in-start": "pool: pool.serve: it was called in a start section, which runs in every worker: export _start instead",
		"serve-twice":    "pool: pool.serve: it was called a second time",
		"start-traps":    cant + "calling _start: wasm trap: unreachable",
		"start-type":     cant + `its start function "_start" is (i32): it has to take and return nothing`,
	}
	for guest, want := range tests {
		t.Run(guest, func(t *testing.T) {
			result := run(t, "refused/"+guest, "a\nb\n")
			assert.Equal(t, 2, result.status)
			assert.True(t, strings.HasPrefix(result.stderr, want), result.stderr)
		})
	}
}

func TestTheStartFunctionCanBeNamed(t *testing.T) {
	assert.Equal(t, "a\n", run(t, "refused/no-start", "a\n", "--start", "main").ok(t))
}

func TestTheMemoryLimitCanBeRaised(t *testing.T) {
	result := run(t, "refused/big-memory", "a\n", "--memory-limit", "128MiB", "--workers", "2")
	assert.Contains(t, result.stderr, "returned", "it starts, and its workers return at once")
}

func TestServeInAWorkerEndsTheRun(t *testing.T) {
	result := run(t, "faulty", "ok\nv\n"+strings.Repeat("ok\n", 5000), "--workers", "1")
	assert.Equal(t, 2, result.status)
	assert.Contains(t, result.stderr, "pool: pool.serve: it was called in a worker: only the exported start function may call it")
	assert.True(t, strings.HasPrefix(result.stdout, "ok\n"), "what was finished is written")
}

func TestImportsThatWereMeantOtherwise(t *testing.T) {
	tests := map[string]string{
		"misspelt":     "it imports pool.repli, which is not served: did you mean pool.reply?",
		"other-module": `it imports env.next, which is not served: pool.next is; name its module (C: import_module("pool"), `,
	}
	for guest, want := range tests {
		t.Run(guest, func(t *testing.T) {
			result := run(t, "refused/"+guest, "a\n")
			assert.Equal(t, 2, result.status)
			assert.Contains(t, result.stderr, "pool: the guest can't run: "+want)
		})
	}
}

func TestATrapBehindTheLastRecordIsNamedAsThat(t *testing.T) {
	result := run(t, "refused/traps-late", "a\nb\n")
	assert.Equal(t, 2, result.status)
	assert.Equal(t, "a\nb\n", result.stdout)
	assert.True(t, strings.HasPrefix(result.stderr, "pool: every record is served, but then _start failed: wasm trap: unreachable"), result.stderr)
}

// The workers of these guests may all have ended before the first record was read.
func TestEveryRunThatServesHasASummary(t *testing.T) {
	for range sized(10, 100) {
		for _, guest := range []string{"returns", "traps", "entry-range"} {
			result := pool(t, strings.NewReader("a\nb\n"), "run", guests+"refused/"+guest+".wasm")
			require.Equal(t, 2, result.status)
			assert.Regexp(t, `\npool: \d lines?: 0 done`, result.stderr)
		}
	}
}
