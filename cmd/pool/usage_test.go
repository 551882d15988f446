package main_test

import (
	"os"
	"path/filepath"
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
		"no guest":               {[]string{"run"}, `expected "<guest>"`},
		"an unknown flag":        {[]string{"run", echo, "--fast"}, "unknown flag --fast"},
		"a missing guest":        {[]string{"run", filepath.Join(dir, "none.wasm")}, "reading the guest: open"},
		"a guest that is text":   {[]string{"run", file}, "the guest can't run: not a WebAssembly module: no header of version 1"},
		"a guest's folder":       {[]string{"run", dir}, "reading the guest: read"},
		"a missing input":        {[]string{"run", echo, "--input", filepath.Join(dir, "none")}, "reading the input: open"},
		"an input folder":        {[]string{"run", echo, "--input", dir}, "is a directory"},
		"an output folder":       {[]string{"run", echo, "--output", dir}, "writing the output: open"},
		"an output nowhere":      {[]string{"run", echo, "--output", filepath.Join(dir, "no", "file")}, "writing the output: open"},
		"the input as output":    {[]string{"run", echo, "--input", file, "--output", file}, "is the input"},
		"broadcast":              {[]string{"run", echo, "--strategy", "broadcast"}, "--strategy: broadcast gives a record to every worker"},
		"shed":                   {[]string{"run", echo, "--overflow", "shed"}, "--overflow: shed loses records"},
		"an unknown strategy":    {[]string{"run", echo, "--strategy", "best"}, `"best"`},
		"an unknown overflow":    {[]string{"run", echo, "--overflow", "drop"}, `there is no overflow policy "drop"`},
		"an unknown restart":     {[]string{"run", echo, "--restart", "maybe"}, `"maybe"`},
		"an unknown separator":   {[]string{"run", echo, "--separator", "comma"}, "--separator must be one of"},
		"no workers":             {[]string{"run", echo, "--workers", "0"}, "--workers is 0: at least 1"},
		"workers below zero":     {[]string{"run", echo, "--workers=-1"}, "--workers"},
		"too many workers":       {[]string{"run", echo, "--workers", "2000"}, "2000 workers are over the host's budget of 1024 workers"},
		"too much memory":        {[]string{"run", echo, "--workers", "65"}, "65 workers of up to 67108864 bytes of memory each are 4362076160 bytes, over the host's budget of 4294967296 bytes"},
		"no queue":               {[]string{"run", echo, "--queue", "0"}, "--queue is 0: at least 1, at most 65536"},
		"a long queue":           {[]string{"run", echo, "--queue", "65537"}, "--queue is 65537: at least 1, at most 65536"},
		"no line":                {[]string{"run", echo, "--max-line", "0"}, "--max-line is 0: at least 1, at most 16MiB"},
		"too long a line":        {[]string{"run", echo, "--max-line", "17MiB"}, "--max-line is 17MiB: at least 1, at most 16MiB"},
		"a size that is none":    {[]string{"run", echo, "--max-line", "1MB"}, `"1MB" is no number of bytes, as in 65536, 64KiB or 1MiB`},
		"no memory":              {[]string{"run", echo, "--memory-limit", "1"}, "--memory-limit is 1: at least 64KiB, at most 4GiB"},
		"too much of it":         {[]string{"run", echo, "--memory-limit", "5GiB"}, "--memory-limit is 5GiB: at least 64KiB, at most 4GiB"},
		"restarts that are none": {[]string{"run", echo, "--max-restarts", "0"}, "--restart never is for none"},
		"a bad configuration":    {[]string{"run", echo, "--config", `{"maxPools":0}`}, "maxPools"},
		"a field that is none":   {[]string{"run", echo, "--config", `{"workers":1}`}, "workers"},
		"no configuration":       {[]string{"run", echo, "--config", `null`}, "configur"},
		"a ceiling too low": {
			[]string{"run", echo, "--workers", "4", "--config", `{"maxWorkersPerPool":2}`}, "pool: the limit of workers is reached",
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

func TestHelpNamesEveryFlagWithItsDefault(t *testing.T) {
	result := pool(t, nil, "run", "--help")
	require.Zero(t, result.status)
	help := strings.Join(strings.Fields(result.stdout), " ")
	for flag, standard := range map[string]string{
		"--input": "standard input", "--output": "standard output", "--separator": "newline", "--unordered": "",
		"--workers": "(GOMAXPROCS)", "--strategy": "round-robin", "--overflow": "spill", "--restart": "on-failure",
		"--max-restarts": "unlimited", "--queue": "64", "--max-line": "1MiB", "--memory-limit": "64MiB", "--start": "_start",
		"--config": "room for the workers", "--progress": "auto", "--summary": "text", "--quiet": "",
	} {
		_, after, found := strings.Cut(help, flag)
		require.True(t, found, flag)
		entry, _, _ := strings.Cut(after, " --")
		if standard != "" {
			assert.Contains(t, entry, "Default: ", flag)
			assert.Contains(t, entry, standard, flag)
		}
	}
	assert.Contains(t, pool(t, nil, "--help").stdout, "Exit status: 0")
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
		"import-type":    "no: it imports pool.next as (i32) -> i64, which is (i32, i32) -> i32",
		"big-memory":     "no: its memory begins with 134217728 bytes, over the limit of 67108864: raise --memory-limit",
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
