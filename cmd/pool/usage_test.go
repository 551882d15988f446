package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUsageErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, []byte("no module\n"), 0o600))
	echo := guests + "echo.wasm"
	tests := map[string]struct {
		args []string
		want string
	}{
		"an unknown command":     {[]string{"walk"}, "unexpected argument walk"},
		"no guest":               {[]string{"run"}, "no guest is named: pool run GUEST.wasm"},
		"no value":               {[]string{"run", echo, "--workers"}, "--workers needs a value"},
		"a flag for a value":     {[]string{"run", echo, "--input", "--quiet"}, "--input needs a value"},
		"a value below zero":     {[]string{"run", echo, "--retries", "-1"}, `--retries: "-1" is no whole number`},
		"a guest in text":        {[]string{"run", guests + "echo.wat"}, "echo.wat: not a WebAssembly module: it is in the text format: build it with wat2wasm"},
		"an empty guest":         {[]string{"run", os.DevNull}, "not a WebAssembly module: it is empty"},
		"an unknown flag":        {[]string{"run", echo, "--fast"}, "unknown flag --fast"},
		"a missing guest":        {[]string{"run", filepath.Join(dir, "none.wasm")}, "reading the guest: open"},
		"a guest that is text":   {[]string{"run", file}, "the guest can't run: file: not a WebAssembly module: no header of version 1"},
		"a guest's folder":       {[]string{"run", dir}, "reading the guest: read"},
		"a missing input":        {[]string{"run", echo, "--input", filepath.Join(dir, "none")}, "reading the input: open"},
		"an input folder":        {[]string{"run", echo, "--input", dir}, "is a directory"},
		"an output folder":       {[]string{"run", echo, "--output", dir}, "writing the output: open"},
		"an output nowhere":      {[]string{"run", echo, "--output", filepath.Join(dir, "no", "file")}, "writing the output: open"},
		"the input as output":    {[]string{"run", echo, "--input", file, "--output", file}, "is the input"},
		"broadcast":              {[]string{"run", echo, "--strategy", "broadcast"}, "--strategy: broadcast gives a record to every worker"},
		"shed":                   {[]string{"run", echo, "--overflow", "shed"}, "--overflow: shed loses records"},
		"an unknown strategy":    {[]string{"run", echo, "--strategy", "best"}, `"best" is none of round-robin, least-loaded, random, power-of-two and consistent-hash`},
		"an unknown overflow":    {[]string{"run", echo, "--overflow", "drop"}, `"drop" is none of spill and reject`},
		"an unknown restart":     {[]string{"run", echo, "--restart", "maybe"}, `"maybe" is none of on-failure, always and never`},
		"an unknown separator":   {[]string{"run", echo, "--separator", "comma"}, `--separator: "comma" is none of newline and nul`},
		"no workers":             {[]string{"run", echo, "--workers", "0"}, "--workers is 0: at least 1, at most 1024"},
		"workers below zero":     {[]string{"run", echo, "--workers=-1"}, "--workers"},
		"too many workers":       {[]string{"run", echo, "--workers", "2000"}, "--workers is 2000: at least 1, at most 1024"},
		"too much memory":        {[]string{"run", echo, "--workers", "65"}, "65 workers of up to 64 MiB of memory each are 4.1 GiB, over the host's budget of 4 GiB: lower --workers, --max or --memory-limit"},
		"no queue":               {[]string{"run", echo, "--queue", "0"}, "--queue is 0: at least 1, at most 65536"},
		"a long queue":           {[]string{"run", echo, "--queue", "65537"}, "--queue is 65537: at least 1, at most 65536"},
		"no line":                {[]string{"run", echo, "--max-line", "0"}, "--max-line is 0: at least 1, at most 16MiB"},
		"too long a line":        {[]string{"run", echo, "--max-line", "17MiB"}, "--max-line is 17MiB: at least 1, at most 16MiB"},
		"a size that is none":    {[]string{"run", echo, "--max-line", "1MB"}, `"1MB" is no number of bytes, as in 65536, 64KiB or 1MiB`},
		"no memory":              {[]string{"run", echo, "--memory-limit", "1"}, "--memory-limit is 1: at least 64KiB, at most 4GiB"},
		"too much of it":         {[]string{"run", echo, "--memory-limit", "5GiB"}, "--memory-limit is 5GiB: at least 64KiB, at most 4GiB"},
		"restarts that are none": {[]string{"run", echo, "--max-restarts", "0"}, "--restart never is for none"},
		"a bad configuration":    {[]string{"run", echo, "--config", `{"maxPools":0}`}, `--config: field "maxPools": 0 is not an integer from 1`},
		"a field that is none":   {[]string{"run", echo, "--config", `{"workers":1}`}, `--config: field "workers": unknown field`},
		"no configuration":       {[]string{"run", echo, "--config", `null`}, "--config: at byte 4: not an object"},
		"workers said twice":     {[]string{"run", echo, "--workers", "2", "--min", "1"}, "--workers 2 is --min 2 --max 2"},
		"workers and a most":     {[]string{"run", echo, "--max", "2", "--workers", "2"}, "--workers 2 is --min 2 --max 2"},
		"a floor above":          {[]string{"run", echo, "--min", "3", "--max", "2"}, "--min 3 is above --max 2"},
		"no room to grow":        {[]string{"run", echo, "--workers", "2", "--target", "2"}, "--target 2 needs room between --min and --max"},
		"a target out of reach":  {[]string{"run", echo, "--max", "9", "--target", "5", "--queue", "4"}, "--target is 5: at least 1, at most 4 (--queue)"},
		"a timeout that is none": {[]string{"run", echo, "--task-timeout", "fast"}, `--task-timeout: "fast" is no duration`},
		"a timeout below zero":   {[]string{"run", echo, "--task-timeout=-1s"}, `--task-timeout: "-1s" is no duration from 0s on`},
		"no window":              {[]string{"run", echo, "--restart-window", "0s"}, "--restart-window is 0s"},
		"retries that are none":  {[]string{"run", echo, "--retries", "few"}, `--retries: "few" is no whole number`},
		"a ceiling too low": {
			[]string{"run", echo, "--workers", "4", "--config", `{"maxWorkersPerPool":2}`}, "maxWorkersPerPool allows 2, wanted 4: raise it in --config",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			result := pool(t, strings.NewReader("a\n"), test.args...)
			assert.Equal(t, 2, result.status)
			assert.Empty(t, result.stdout)
			assert.Contains(t, result.stderr, test.want)
			for _, line := range result.complaints() {
				assert.True(t, strings.HasPrefix(line, "pool: "), line)
			}
		})
	}
}

func TestTheInputIsNotTruncatedByAMistake(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("precious\n"), 0o600))
	result := run(t, "echo", "", "--input", file, "--output", file)
	assert.Equal(t, 2, result.status)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "precious\n", string(text))
}

var flagLine = regexp.MustCompile(`^ +(?:-\w, +)?(--[\w-]+)`)

func TestHelpNamesEveryFlagWithItsDefault(t *testing.T) {
	result := pool(t, nil, "run", "--help")
	require.Zero(t, result.status)
	entries := make(map[string]string) // by flag
	var flag string
	for line := range strings.Lines(result.stdout) {
		if found := flagLine.FindStringSubmatch(line); found != nil {
			flag = found[1]
		}
		entries[flag] += " " + strings.TrimSpace(line)
	}
	for flag, standard := range map[string]string{
		"--input": "standard input", "--output": "standard output", "--separator": "newline", "--unordered": "",
		"--workers": "(GOMAXPROCS)", "--strategy": "round-robin", "--overflow": "spill", "--restart": "on-failure",
		"--min": "1", "--max": "--min", "--target": "1", "--restart-window": "60s", "--retries": "0", "--task-timeout": "0s",
		"--max-restarts": "unlimited", "--queue": "64", "--max-line": "1MiB", "--memory-limit": "64MiB", "--start": "_start",
		"--config": "room for the workers", "--progress": "auto", "--summary": "text", "--quiet": "",
	} {
		entry := entries[flag]
		require.NotEmpty(t, entry, flag)
		if standard != "" {
			assert.Contains(t, entry, "Default: ", flag)
			assert.Contains(t, entry, standard, flag)
		}
	}
	whole := pool(t, nil, "--help").stdout
	assert.Contains(t, whole, "Exit status: 0")
	assert.Contains(t, whole, "SIGTERM ends the reading")
}

func TestWithoutACommandItShowsItsHelp(t *testing.T) {
	result := pool(t, nil)
	assert.Equal(t, 2, result.status)
	assert.Contains(t, result.stderr, "Usage: pool <command>")
	assert.Empty(t, result.stdout)
}

func TestVersion(t *testing.T) {
	result := pool(t, nil, "version")
	assert.Zero(t, result.status)
	assert.Regexp(t, `^pool 0\.1\.\d+ \(plugin host 0\.1\.0, go\S+ \w+/\w+\)\n$`, result.stdout)
}

func TestTheUsualWaysToAskForHelpAndVersion(t *testing.T) {
	assert.Equal(t, pool(t, nil, "version").ok(t), pool(t, nil, "--version").ok(t))
	assert.Equal(t, pool(t, nil, "--help").ok(t), pool(t, nil, "help").ok(t))
	assert.Equal(t, pool(t, nil, "run", "--help").ok(t), pool(t, nil, "help", "run").ok(t))
}

func TestAHyphenIsTheStandardStream(t *testing.T) {
	assert.Equal(t, "a\nb\n", run(t, "echo", "a\nb\n", "--input", "-", "--output", "-").ok(t))
}

func TestInspect(t *testing.T) {
	result := pool(t, nil, "inspect", guests+"wordcount.wasm")
	assert.Zero(t, result.status)
	for _, want := range []string{
		"func pool.serve (i32)", "func pool.next (i32, i32) -> i32", "func _start ()", "table table", "memory memory",
		"pages of 64 KiB, no maximum declared", "can be workers  entry 1", "can run         yes",
	} {
		assert.Contains(t, result.stdout, want)
	}
	assert.NotContains(t, result.stdout, "start section")
}

func TestInspectSaysWhatWouldStopAGuest(t *testing.T) {
	tests := map[string]string{
		"foreign-import": "no: it imports env.print, which is not served",
		"import-type":    "no: pool.next is (i32, i32) -> i32, the guest imports it as (i32) -> i64",
		"big-memory":     "no: its memory begins with 128 MiB, over the limit of 64 MiB: raise --memory-limit",
		"entry-type":     "no: no entry of its table is a function without parameters and results",
		"no-start":       `no: it has no export "_start" to start with: --start could name main`,
		"no-table":       "no: it has no table",
		"start-type":     `no: its start function "_start" is (i32)`,
	}
	for guest, want := range tests {
		t.Run(guest, func(t *testing.T) {
			result := pool(t, nil, "inspect", guests+"refused/"+guest+".wasm")
			assert.Equal(t, 2, result.status)
			assert.Contains(t, result.stdout, want)
		})
	}
	t.Run("a start section", func(t *testing.T) {
		assert.Contains(t, pool(t, nil, "inspect", guests+"refused/serve-in-start.wasm").stdout, "it runs in every worker")
	})
	t.Run("no module", func(t *testing.T) {
		result := pool(t, nil, "inspect", "usage_test.go")
		assert.Equal(t, 2, result.status)
		assert.Contains(t, result.stdout, "no: not a WebAssembly module")
	})
}
