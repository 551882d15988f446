package main_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRepliesCarryTheSeparatorOfTheirRecords(t *testing.T) {
	tests := map[string]struct {
		input, want string
		flags       []string
	}{
		"no input, no output":                     {"", "", nil},
		"a lone newline is an empty record":       {"\n", "\n", nil},
		"empty records have empty replies":        {"\n\n\n", "\n\n\n", nil},
		"the last newline may be missing":         {"a\nb", "a\nb\n", nil},
		"CR before LF belongs to the record":      {"a\r\nb\r\n", "a\r\nb\r\n", nil},
		"NUL bytes are content":                   {"a\x00b\n\x00\n", "a\x00b\n\x00\n", nil},
		"invalid UTF-8 is content":                {"\xff\xfe\n\xc3\x28\n", "\xff\xfe\n\xc3\x28\n", nil},
		"with nul, newlines are content":          {"a\nb\x00c\x00", "a\nb\x00c\x00", []string{"--separator", "nul"}},
		"with nul, the last NUL may be missing":   {"a\x00b", "a\x00b\x00", []string{"--separator=nul"}},
		"a record of exactly --max-line is taken": {"abcde\n", "abcde\n", []string{"--max-line", "5"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, run(t, "echo", test.input, test.flags...).ok(t))
		})
	}
}

func TestALineOverTheLimitFailsByName(t *testing.T) {
	long := strings.Repeat("x", 10<<20)
	result := run(t, "sha256", "a\n"+long+"\n\nb")
	assert.Equal(t, 1, result.status)
	assert.Equal(t, "pool: line 2: record too long: 10485760 bytes, at most 1048576 are taken\n", result.stderr)
	assert.Equal(t, references["sha256"]([]byte("a"))+"\n"+references["sha256"](nil)+"\n"+references["sha256"]([]byte("b"))+"\n",
		result.stdout)
}

func TestTheLimitOfALineCanBeRaised(t *testing.T) {
	lines := [][]byte{bytes.Repeat([]byte("x"), 10<<20), []byte("short"), bytes.Repeat([]byte("y"), 16<<20)}
	input := string(bytes.Join(lines, []byte{'\n'}))
	equalLines(t, reference(t, "echo", lines), run(t, "echo", input, "--max-line", "16MiB").ok(t))
}

func TestAReplyOverTheLimitFailsByName(t *testing.T) {
	result := run(t, "faulty", "dddddddd\n"+"ddddddddd\n", "--max-line", "128")
	assert.Equal(t, 1, result.status)
	assert.Len(t, result.stdout, 129)
	assert.Regexp(t, `^pool: line 2: worker \d+: the guest's reply is too long: 144 bytes, at most 128 are taken\n$`, result.stderr)
}

func TestUnorderedRepliesAllCome(t *testing.T) {
	lines := randomLines(5000)
	got := run(t, "sha256", string(bytes.Join(lines, []byte{'\n'})), "--unordered").ok(t)
	want := strings.Split(reference(t, "sha256", lines), "\n")
	given := strings.Split(got, "\n")
	slices.Sort(want)
	slices.Sort(given)
	assert.Equal(t, want, given)
}

func TestEveryStrategyServesEveryRecord(t *testing.T) {
	lines := randomLines(2000)
	input := string(bytes.Join(lines, []byte{'\n'}))
	for _, strategy := range []string{"round-robin", "round_robin", "least-loaded", "random", "power-of-two", "consistent-hash"} {
		for _, overflow := range []string{"spill", "reject"} {
			t.Run(strategy+" "+overflow, func(t *testing.T) {
				got := run(t, "echo", input, "--strategy", strategy, "--overflow", overflow, "--queue", "2").ok(t)
				equalLines(t, reference(t, "echo", lines), got)
			})
		}
	}
}

func TestFilesInsteadOfStreams(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	require.NoError(t, os.WriteFile(in, []byte("abc\ndef\n"), 0o600))
	require.NoError(t, os.WriteFile(out, []byte("what was there before and is longer"), 0o600))
	result := run(t, "upper", "not read", "--input", in, "--output", out)
	assert.Empty(t, result.ok(t))
	got, err := os.ReadFile(out)
	require.NoError(t, err)
	assert.Equal(t, "ABC\nDEF\n", string(got))
}

func TestManyWorkersHaveRoom(t *testing.T) {
	lines := randomLines(3000)
	got := run(t, "sha256", string(bytes.Join(lines, []byte{'\n'})), "--workers", "200", "--memory-limit", "1MiB").ok(t)
	equalLines(t, reference(t, "sha256", lines), got)
}

func TestTheSummaryAddsUp(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	result := pool(t, strings.NewReader("1\nt\n"+strings.Repeat("x", 100)+"\nc\n\xffw"),
		"run", guests+"faulty.wasm", "--summary", "json", "--max-line", "50", "--workers", "3", "--output", out)
	a := result.account(t)
	assert.EqualValues(t, 5, a.Records)
	assert.EqualValues(t, 3, a.Done)
	assert.EqualValues(t, 2, a.Failed)
	assert.EqualValues(t, 1, a.TooLong)
	assert.EqualValues(t, 1, a.Pool.Restarted)
	assert.EqualValues(t, 109, a.BytesIn)
	info, err := os.Stat(out)
	require.NoError(t, err)
	assert.EqualValues(t, info.Size(), a.BytesOut)
}

func TestTheSummaryInText(t *testing.T) {
	tests := map[string]struct {
		guest, input, want string
		flags              []string
	}{
		"all well":            {"echo", "a\nb\n", `^pool: 2 lines: 2 done in \S+ \(\d+/s\)\n$`, nil},
		"no input":            {"echo", "", `^pool: 0 lines: 0 done in \S+ \(0/s\)\n$`, nil},
		"records, not lines":  {"echo", "a\x00b\n", `^pool: 2 records: 2 done in \S+ \(\d+/s\)\n$`, []string{"--separator", "nul"}},
		"none":                {"echo", "a\n", `^$`, []string{"--summary", "none"}},
		"quiet":               {"echo", "a\n", `^$`, []string{"-q"}},
		"quiet, but asked":    {"echo", "a\n", `^pool: 1 line: 1 done in \S+ \(\d+/s\)\n$`, []string{"-q", "--summary", "text"}},
		"quiet JSON":          {"echo", "a\n", `^\{"records":1,"done":1,.*\}\n$`, []string{"-q", "--summary", "json"}},
		"a failure":           {"faulty", "ok\nfear\n", `\npool: 2 lines: 1 done, 1 failed in \S+ \(\d+/s\)\n$`, nil},
		"a replaced worker":   {"faulty", "t\n", `\npool: 1 line: 0 done, 1 failed in \S+ \(\d+/s\), 1 worker replaced\n$`, nil},
		"quiet names failure": {"faulty", "ok\nfear\n", `^pool: line 2: worker \d+: fear\n$`, []string{"--quiet"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"run", guests + test.guest + ".wasm"}, test.flags...)
			assert.Regexp(t, test.want, pool(t, strings.NewReader(test.input), args...).stderr)
		})
	}
}

// A million lines through a guest that traps on every thousandth, smaller by default.
func TestEveryThousandthLineTraps(t *testing.T) {
	n := sized(60_000, 1_000_000)
	var input, want bytes.Buffer
	for i := 1; i <= n; i++ {
		line := fmt.Sprintf("line %d of many, as they come\n", i)
		input.WriteString(line)
		if i%1000 != 0 {
			want.WriteString(line)
		}
	}
	result, peak := measured(t, &input, "run", guests+"echo-trap.wasm", "--workers", "4", "--summary", "json")
	assert.Less(t, peak, int64(256<<20))
	require.Equal(t, 1, result.status)
	equalLines(t, want.String(), result.stdout)

	failures := result.complaints()
	failures = failures[:len(failures)-1]
	require.Len(t, failures, n/1000)
	for i, failure := range failures {
		assert.Regexp(t, fmt.Sprintf(`^pool: line %d: worker \d+: wasm trap: unreachable`, (i+1)*1000), failure)
	}
	a := result.account(t)
	assert.EqualValues(t, n, a.Records)
	assert.EqualValues(t, n/1000, a.Failed)
	assert.EqualValues(t, n/1000, a.Pool.Restarted)
	assert.EqualValues(t, n, a.Pool.Submitted)
}
