package main_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestASpinningRecordCostsItsOwnLineOnly(t *testing.T) {
	input := strings.Repeat("ok\n", 100) + "spin\n" + strings.Repeat("ok\n", 100)
	result := run(t, "faulty", input, "--task-timeout", "200ms", "--workers", "1", "--summary", "json")
	assert.Equal(t, 1, result.status)
	assert.Equal(t, strings.Repeat("ok\n", 200), result.stdout)
	assert.Regexp(t, `^pool: line 101: worker \d+: timed out: still running after 200ms \(--task-timeout\)\n\{`, result.stderr)
	a := result.account(t)
	assert.EqualValues(t, 1, a.Failed)
	assert.EqualValues(t, 1, a.Pool.Restarted)
}

func TestARecordIsRetriedAsOftenAsAsked(t *testing.T) {
	result := run(t, "faulty", "ok\ntrap\nok\n", "--retries", "2", "--summary", "json")
	assert.Equal(t, 1, result.status)
	assert.Equal(t, "ok\nok\n", result.stdout)
	assert.Regexp(t, `^pool: line 2: worker \d+: attempt 3: wasm trap: unreachable`, result.stderr)
	a := result.account(t)
	assert.EqualValues(t, 2, a.Pool.Retried)
	assert.EqualValues(t, 3, a.Pool.Restarted)
	assert.EqualValues(t, 1, a.Failed)
}

func TestAWindowForgetsRestarts(t *testing.T) {
	input := strings.Repeat("trap\n", 60)
	result := run(t, "faulty", input, "--workers", "1", "--max-restarts", "5", "--restart-window", "1ns")
	assert.Equal(t, 1, result.status)
	assert.Len(t, result.complaints(), 60)
}

func TestThePoolHasAsManyWorkersAsTheLoadAsksFor(t *testing.T) {
	lines := randomLines(3000)
	input := string(bytes.Join(lines, []byte{'\n'}))
	want := reference(t, "sha256", lines)
	for _, flags := range []string{
		"--min 1 --max 4", "--max 3", "--min 0 --max 2", "--min 2", "--target 8 --max 3", "--min 0 --max 5 --target 64",
		"--min 3 --max 3 --strategy consistent-hash", "--max 4 --strategy consistent-hash --overflow reject",
	} {
		t.Run(flags, func(t *testing.T) {
			args := append([]string{"run", guests + "sha256.wasm", "--quiet"}, strings.Fields(flags)...)
			equalLines(t, want, pool(t, strings.NewReader(input), args...).ok(t))
			assert.Empty(t, pool(t, strings.NewReader(""), args...).ok(t), "without input")
		})
	}
}

func TestACeilingInTheWayIsNamedOnce(t *testing.T) {
	lines := randomLines(sized(20_000, 200_000))
	result := pool(t, bytes.NewReader(bytes.Join(lines, []byte{'\n'})), "run", guests+"echo.wasm", "--quiet",
		"--min", "1", "--max", "3", "--config", `{"runnableWorkers": 1}`)
	assert.Zero(t, result.status)
	equalLines(t, reference(t, "echo", lines), result.stdout)
	assert.Regexp(t, `^pool: no further worker could be started: runnableWorkers allows 1, wanted [23]: raise it in --config, .*\n$`,
		result.stderr)
}
