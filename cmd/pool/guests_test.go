package main_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The guests' tasks, done by other means.
var references = map[string]func(line []byte) string{
	"echo":      func(line []byte) string { return string(line) },
	"sha256":    func(line []byte) string { sum := sha256.Sum256(line); return hex.EncodeToString(sum[:]) },
	"wordcount": func(line []byte) string { return strconv.Itoa(len(bytes.FieldsFunc(line, isSpace))) },
	"upper":     upper,
}

func isSpace(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' }

func upper(line []byte) string {
	out := bytes.Clone(line)
	for i, b := range out {
		if 'a' <= b && b <= 'z' {
			out[i] = b - 32
		}
	}
	return string(out)
}

func reference(t *testing.T, guest string, lines [][]byte) string {
	t.Helper()
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(references[guest](line))
		out.WriteByte('\n')
	}
	return out.String()
}

func TestGuestsEqualIndependentImplementationsOnThisRepository(t *testing.T) {
	lines := split(ownFiles(t))
	require.Greater(t, len(lines), 1000)
	input := string(bytes.Join(lines, []byte{'\n'}))
	for guest := range references {
		t.Run(guest, func(t *testing.T) {
			result := run(t, guest, input)
			require.Zero(t, result.status, result.stderr)
			equalLines(t, reference(t, guest, lines), result.stdout)
		})
	}
}

func TestGuestsEqualIndependentImplementationsOnEveryByte(t *testing.T) {
	lines := randomLines(sized(20_000, 200_000))
	input := string(bytes.Join(lines, []byte{'\n'}))
	for guest := range references {
		t.Run(guest, func(t *testing.T) {
			result := run(t, guest, input)
			require.Zero(t, result.status, result.stderr)
			equalLines(t, reference(t, guest, lines), result.stdout)
		})
	}
}

func TestGuestsReadRecordsLongerThanTheirBuffers(t *testing.T) {
	var lines [][]byte
	for _, length := range []int{63, 64, 4096, 65535, 65536, 65537, 131072, 131073, 1 << 20} {
		line := make([]byte, length)
		for i := range line {
			line[i] = "word \tWORD\v"[(i*i+i/7)%11]
		}
		lines = append(lines, line)
	}
	input := string(bytes.Join(lines, []byte{'\n'}))
	for guest := range references {
		t.Run(guest, func(t *testing.T) {
			equalLines(t, reference(t, guest, lines), run(t, guest, input).ok(t))
		})
	}
}

func TestUpperSaysHowFarItHasCome(t *testing.T) {
	result := run(t, "upper", strings.Repeat("abc\n", 4000), "--workers", "1")
	require.Zero(t, result.status)
	assert.Equal(t, []string{
		"pool: 1000 records in upper case", "pool: 2000 records in upper case",
		"pool: 3000 records in upper case", "pool: 4000 records in upper case",
	}, result.complaints())
}

func TestJSONKeysEqualsAnIndependentParser(t *testing.T) {
	lines := jsonLines(sized(3_000, 20_000))
	result := run(t, "jsonkeys", strings.Join(lines, "\n"))
	var want strings.Builder
	failing := 0
	for _, line := range lines {
		keys, err := keysOf(line)
		if err != nil {
			failing++
			continue
		}
		want.WriteString(keys + "\n")
	}
	require.Equal(t, 1, result.status)
	equalLines(t, want.String(), result.stdout)
	assert.Len(t, result.complaints(), failing)
}

func TestJSONKeysNamesTheByte(t *testing.T) {
	tests := map[string]struct{ line, want string }{
		"no object":             {`[1]`, "byte 0: expected an object"},
		"an empty line":         {``, "byte 0: expected an object"},
		"a missing colon":       {`{"a" 1}`, "byte 5: expected a colon"},
		"a missing value":       {`{"a":}`, "byte 5: expected a value"},
		"a missing brace":       {`{"a":1`, "byte 6: expected a comma or a closing brace"},
		"a trailing comma":      {`{"a":1,}`, "byte 7: expected a key"},
		"something behind":      {`{} x`, "byte 3: expected the end"},
		"a bad number":          {`{"a":-}`, "byte 6: expected a digit"},
		"a bad escape":          {`{"a\q":1}`, "byte 4: expected an escape"},
		"a short escape":        {`{"a\u12":1}`, "byte 7: expected a hexadecimal digit"},
		"a control character":   {"{\"a\tb\":1}", "byte 3: expected a character or the closing quote of a string"},
		"invalid UTF-8":         {"{\"a\xff\":1}", "byte 3: expected UTF-8"},
		"a word":                {`{"a":nul}`, "byte 8: expected true, false or null"},
		"a bracket":             {`{"a":[1 2]}`, "byte 8: expected a comma or a closing bracket"},
		"a thousand levels":     {`{"a":` + strings.Repeat("[", 1000), "byte 1004: expected less nesting (1000 levels at most)"},
		"a leading zero":        {`{"a":01}`, "byte 6: expected a comma or a closing brace"},
		"an end in a string":    {`{"abc`, "byte 5: expected a character or the closing quote of a string"},
		"a fraction with no 1s": {`{"a":1.}`, "byte 7: expected a digit"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			result := run(t, "jsonkeys", test.line+"\n", "--workers", "1")
			assert.Equal(t, 1, result.status)
			assert.Equal(t, "pool: line 1: worker 1: "+test.want+"\n", result.stderr)
		})
	}
}

// keysOf is what jsonkeys is to print, by the standard library: the sorted array of the keys.
func keysOf(line string) (string, error) {
	if !utf8.ValidString(line) || !strings.HasPrefix(strings.TrimLeft(line, " \t\r\n"), "{") {
		return "", os.ErrInvalid
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &object); err != nil {
		return "", err
	}
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(keys)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// jsonLines returns objects of all kinds, some of them damaged.
func jsonLines(n int) []string {
	random := rand.New(rand.NewPCG(3, 4))
	lines := make([]string, n)
	for i := range lines {
		text := jsonObject(random, 0)
		if random.IntN(4) == 0 {
			text = damaged(random, text)
		}
		lines[i] = text
	}
	return lines
}

func jsonObject(random *rand.Rand, depth int) string {
	members := make([]string, random.IntN(6))
	for i := range members {
		members[i] = jsonString(random) + blank(random) + ":" + blank(random) + jsonValue(random, depth+1)
	}
	return blank(random) + "{" + strings.Join(members, blank(random)+",") + "}" + blank(random)
}

func jsonValue(random *rand.Rand, depth int) string {
	kind := random.IntN(8)
	switch {
	case kind == 0 && depth < 5:
		return jsonObject(random, depth)
	case kind == 1 && depth < 5:
		return "[" + jsonValue(random, depth+1) + "," + jsonValue(random, depth+1) + "]"
	case kind == 2:
		return jsonString(random)
	}
	return []string{"true", "false", "null", "[]", "0", "-1.5e+10", "12345678901234567890", "[ ]"}[random.IntN(8)]
}

func jsonString(random *rand.Rand) string {
	parts := []string{"a", "b", "Z", " ", "é", "日", "😀", `\n`, `\"`, `\\`, `\/`, `\u00e9`, `\ud83d\ude00`, `\ud800`, `\udc00x`, `\t`, `\b`, `\f`, `\u0001`, ""}
	var b strings.Builder
	for range random.IntN(5) {
		b.WriteString(parts[random.IntN(len(parts))])
	}
	return `"` + b.String() + `"`
}

func blank(random *rand.Rand) string { return []string{"", "", " ", "\t", "\r"}[random.IntN(5)] }

// damaged changes one byte, or cuts the text; the result may still be an object.
func damaged(random *rand.Rand, text string) string {
	at := random.IntN(len(text))
	if random.IntN(2) == 0 {
		return text[:at]
	}
	replaced := []byte(text)
	replaced[at] = "{}[]\":,0x \\"[random.IntN(11)]
	return string(replaced)
}

// ownFiles is the text of this repository's own files.
func ownFiles(t *testing.T) []byte {
	t.Helper()
	var all bytes.Buffer
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && len(entry.Name()) > 2:
			return fs.SkipDir
		case entry.Type().IsRegular() && all.Len() < 8<<20:
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		}
		return nil
	})
	require.NoError(t, err)
	return all.Bytes()
}

// split cuts text into its lines; those over the default --max-line are left out.
func split(text []byte) [][]byte {
	lines := bytes.Split(bytes.TrimSuffix(text, []byte{'\n'}), []byte{'\n'})
	return slices.DeleteFunc(lines, func(line []byte) bool { return len(line) > 1<<20 })
}

// randomLines returns lines of up to 300 bytes in which every byte but the newline occurs. The last is not empty.
func randomLines(n int) [][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	lines := make([][]byte, n)
	for i := range lines {
		line := make([]byte, random.IntN(300))
		for j := range line {
			if line[j] = byte(random.Uint32()); line[j] == '\n' {
				line[j] = ' '
			}
		}
		lines[i] = line
	}
	lines[n-1] = []byte("end")
	return lines
}

// equalLines names the first line that differs, instead of printing all of them.
func equalLines(t *testing.T, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	wanted, given := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(wanted), len(given)) {
		require.Equal(t, wanted[i], given[i], "line %d", i+1)
	}
	require.Len(t, given, len(wanted))
}
