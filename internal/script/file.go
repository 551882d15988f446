package script

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
)

// rule separates commands from what they print.
const rule = "----"

// file is a script.
type file struct {
	fakeOnly string // why it can't be played on the real Workers; empty if it can
	blocks   []block
}

// block is some commands and what they print together.
type block struct {
	line     int      // of the first line of text
	text     []string // comments and commands, as they are
	expected string
}

// fakeOnly begins the comment that says why a script needs the fake.
const fakeOnly = "# fake only: "

func readFile(path string) (*file, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseFile(path, data)
}

func parseFile(path string, data []byte) (*file, error) {
	f := new(file)
	var now block
	below := false
	scanner := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; scanner.Scan(); n++ {
		line := scanner.Text()
		switch {
		case line == "" && below:
			f.blocks = append(f.blocks, now)
			now, below = block{}, false
		case line == "" && len(now.text) == 0:
		case line == rule && !below:
			below = true
		case below:
			now.expected += line + "\n"
		default:
			if len(now.text) == 0 {
				now.line = n
			}
			now.text = append(now.text, line)
			if why, ok := strings.CutPrefix(line, fakeOnly); ok {
				f.fakeOnly = why
			}
		}
	}
	if below {
		f.blocks = append(f.blocks, now)
	} else if len(now.text) > 0 {
		return nil, fmt.Errorf("%s:%d: a block without %q", path, now.line, rule)
	}
	return f, scanner.Err()
}

// write writes the file with what each block printed.
func (f *file) write(path string, printed []string) error {
	var out strings.Builder
	for i, b := range f.blocks {
		if i > 0 {
			out.WriteByte('\n')
		}
		for _, line := range b.text {
			fmt.Fprintln(&out, line)
		}
		fmt.Fprintln(&out, rule)
		out.WriteString(printed[i])
	}
	return os.WriteFile(path, []byte(out.String()), 0o644)
}

// commands returns the lines that are no comments.
func (b block) commands() (lines []string) {
	for _, line := range b.text {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}
