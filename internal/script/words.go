package script

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// words is a command: a verb, words, and settings of the form name=value. What nobody asks for is an error: see unused.
type words struct {
	verb     string
	plain    []string
	settings map[string]string
	err      error // the first that was found
}

func parseWords(line string) *words {
	w := &words{settings: make(map[string]string)}
	for i, word := range strings.Fields(line) {
		name, value, isSetting := strings.Cut(word, "=")
		switch {
		case i == 0:
			w.verb = word
		case isSetting:
			w.settings[name] = value
		default:
			w.plain = append(w.plain, word)
		}
	}
	return w
}

func (w *words) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// next takes the next plain word.
func (w *words) next(what string) string {
	if len(w.plain) == 0 {
		w.fail("%s: which %s?", w.verb, what)
		return ""
	}
	word := w.plain[0]
	w.plain = w.plain[1:]
	return word
}

func (w *words) optional() string {
	if len(w.plain) == 0 {
		return ""
	}
	return w.next("")
}

func (w *words) number(what string) uint64 {
	n, err := strconv.ParseUint(w.next(what), 0, 64)
	if err != nil {
		w.fail("%s: %w", w.verb, err)
	}
	return n
}

// numbers takes all plain words that are left. "3-5" stands for 3 4 5.
func (w *words) numbers(what string) (all []uint64) {
	for len(w.plain) > 0 {
		first, last, isRange := strings.Cut(w.plain[0], "-")
		if !isRange {
			all = append(all, w.number(what))
			continue
		}
		w.plain = append([]string{first, last}, w.plain[1:]...)
		for n, end := w.number(what), w.number(what); n <= end; n++ {
			all = append(all, n)
		}
	}
	if len(all) == 0 {
		w.fail("%s: which %s?", w.verb, what)
	}
	return all
}

// setting takes a setting; "" when there is none.
func (w *words) setting(name string) string {
	value := w.settings[name]
	delete(w.settings, name)
	return value
}

func (w *words) count(name string) uint64 {
	value := w.setting(name)
	if value == "" {
		return 0
	}
	n, err := strconv.ParseUint(value, 0, 64)
	if err != nil {
		w.fail("%s: %s: %w", w.verb, name, err)
	}
	return n
}

func (w *words) time(name string) time.Duration {
	value := w.setting(name)
	if value == "" {
		return 0
	}
	return w.parseTime(value)
}

func (w *words) parseTime(value string) time.Duration {
	d, err := time.ParseDuration(value)
	if err != nil {
		w.fail("%s: %w", w.verb, err)
	}
	return d
}

// unused returns the first error of the command; words that nobody asked for are one.
func (w *words) unused() error {
	if len(w.plain) > 0 {
		w.fail("%s: what is %q?", w.verb, w.plain[0])
	}
	for _, name := range slices.Sorted(maps.Keys(w.settings)) {
		w.fail("%s: there is no setting %q", w.verb, name)
	}
	return w.err
}

// text is what UnmarshalText of an enumeration makes of a setting.
func text[T any, P interface {
	*T
	UnmarshalText([]byte) error
}](w *words, name string) (v T) {
	if value := w.setting(name); value != "" {
		if err := P(&v).UnmarshalText([]byte(value)); err != nil {
			w.fail("%s: %w", w.verb, err)
		}
	}
	return v
}
