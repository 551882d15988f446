package manifest

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	// A host with at least one dot, then at least one segment.
	idPattern = regexp.MustCompile(`^` + label + `(?:\.` + label + `)+(?:/` + segment + `)+$`)
	// Lower-case words joined by single hyphens.
	slugPattern     = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)
	platformPattern = regexp.MustCompile(`^[a-z0-9]+/[a-z0-9]+$`)
)

const (
	label   = `[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?`
	segment = `[A-Za-z0-9](?:[A-Za-z0-9._~-]*[A-Za-z0-9])?`
)

// shown cuts a value for an error message.
func shown(value string) string { return fmt.Sprintf("%.60q", value) }

func checkID(id string) error {
	switch {
	case id == "":
		return errors.New("empty ID")
	case len(id) > maxIDLength:
		return tooLong(id, maxIDLength)
	case !idPattern.MatchString(id):
		return fmt.Errorf("%s is not of the form host.example/segment", shown(id))
	}
	return nil
}

// checkText holds any text that is shown or stored against its length.
func checkText(text string, longest int) error {
	if len(text) > longest {
		return tooLong(text, longest)
	}
	return checkUTF8(text)
}

// checkUTF8 refuses what JSON would change.
func checkUTF8(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%s is not UTF-8", shown(text))
	}
	return nil
}

func tooLong(text string, longest int) error {
	return fmt.Errorf("%s has %d bytes, at most %d are allowed", shown(text), len(text), longest)
}

func checkCount(count, most int) error {
	if count > most {
		return fmt.Errorf("%d entries, at most %d are allowed", count, most)
	}
	return nil
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// checkURL accepts an absolute https URL that names a place and nothing else: nobody's password, nothing to normalise.
func checkURL(text string, fragment bool) error {
	refused := func(why string) error { return fmt.Errorf("URL %s %s", shown(text), why) }
	if err := checkUTF8(text); err != nil {
		return err
	}
	if strings.ContainsFunc(text, unicode.IsSpace) || strings.Contains(text, `\`) {
		return refused("contains white space or a backslash")
	}
	if !strings.HasPrefix(text, "https://") {
		return refused("does not start with https://")
	}
	if !fragment && strings.Contains(text, "#") {
		return refused("has a fragment")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return refused("can't be parsed")
	case u.Hostname() == "":
		return refused("has no host")
	case u.User != nil:
		return refused("has user information")
	}
	return nil
}
