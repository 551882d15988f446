package semrange

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/Masterminds/semver/v3"
)

const (
	partText = `(0|[1-9][0-9]*|[xX*])`
	idText   = `(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)`
	// partialText has the groups major, minor, patch, prerelease.
	partialText = `v?` + partText +
		`(?:\.` + partText + `(?:\.` + partText +
		`(?:-(` + idText + `(?:\.` + idText + `)*))?` +
		`(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?)?)?`
)

var (
	operatorBlanks = regexp.MustCompile(`([<>]=?|=|~>?|\^)\s+`)
	simplePattern  = regexp.MustCompile(`^([<>]=?|=|~>?|\^|)` + partialText + `$`)
	hyphenPattern  = regexp.MustCompile(`^` + partialText + `\s+-\s+` + partialText + `$`)
)

// Parse reads a range. A blank text is refused; beside another group a blank one is npm's "any release". Numbers go up to
// 2^53-1. Errors wrap [ErrRange].
//
// Safe for concurrent use.
func Parse(text string) (Range, error) {
	if strings.TrimSpace(text) == "" {
		return Range{}, fmt.Errorf("%w: blank", ErrRange)
	}
	var r Range
	for part := range strings.SplitSeq(text, "||") {
		g, err := parseGroup(strings.TrimSpace(part))
		if err != nil {
			return Range{}, err
		}
		r.groups = append(r.groups, g)
	}
	return r, nil
}

func parseGroup(text string) (group, error) {
	if m := hyphenPattern.FindStringSubmatch(text); m != nil {
		return hyphen(m[1:])
	}
	g := group{}
	for token := range strings.FieldsSeq(operatorBlanks.ReplaceAllString(text, "$1")) {
		m := simplePattern.FindStringSubmatch(token)
		if m == nil {
			return nil, fmt.Errorf("%w: %.80q", ErrRange, token)
		}
		p, err := newPartial(m[2:5], m[5])
		if err != nil {
			return nil, fmt.Errorf("%w: %.80q: %w", ErrRange, token, err)
		}
		g = append(g, simple(m[1], p)...)
	}
	return g, nil
}

// hyphen rewrites "from - to": both ends belong to it, a partial upper end with all it stands for.
func hyphen(match []string) (group, error) {
	from, err := newPartial(match[0:3], match[3])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRange, err)
	}
	to, err := newPartial(match[4:7], match[7])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRange, err)
	}
	return append(simple(">=", from), simple("<=", to)...), nil
}

// simple rewrites one operator with its version.
func simple(op string, p partial) group {
	switch {
	case p.known == 0:
		return unbounded(op)
	case op == "^":
		return p.span(p.leftmost())
	case op == "~" || op == "~>":
		return p.span(min(p.known, 2))
	case op == ">=":
		return group{{greaterOrEqual, p.lowest()}}
	case p.known < 3:
		return edge(op, p)
	case op == ">":
		return group{{greater, p.lowest()}}
	case op == "<":
		return group{{less, p.lowest()}}
	case op == "<=":
		return group{{lessOrEqual, p.lowest()}}
	default:
		return group{{equal, p.lowest()}}
	}
}

// edge rewrites a comparator whose version stands for many: above means above them all, below means below them all.
func edge(op string, p partial) group {
	switch op {
	case ">":
		return group{{greaterOrEqual, p.after(p.known)}}
	case "<":
		p.prerelease = "0"
		return group{{less, p.lowest()}}
	case "<=":
		return group{p.before(p.known)}
	default:
		return p.span(p.known)
	}
}

// unbounded is an operator with a free major: nothing lies above or below everything, the rest is any release.
func unbounded(op string) group {
	if op == "<" || op == ">" {
		return group{{less, semver.New(0, 0, 0, "0", "")}}
	}
	return group{}
}

// leftmost says how many parts a caret keeps: up to the first given one that isn't zero, else all that are given.
func (p partial) leftmost() int {
	for i, number := range p.part[:p.known] {
		if number != 0 {
			return i + 1
		}
	}
	return p.known
}
