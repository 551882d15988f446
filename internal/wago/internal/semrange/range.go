package semrange

import (
	"fmt"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// Error is the type of this package's error constants.
type Error string

// Error returns the text of the constant.
func (e Error) Error() string { return string(e) }

const (
	// ErrVersion: a text is not a version. Detailed errors wrap it and quote the text.
	ErrVersion Error = "not a semantic version"
	// ErrRange: a text is not a range. Detailed errors wrap it and quote the part that can't be read.
	ErrRange Error = "not a version range"
)

// ParseVersion reads a full version, major.minor.patch with optional prerelease and build metadata, at most 256 bytes. One
// lower-case v may stand in front. Errors wrap [ErrVersion].
//
// Safe for concurrent use.
func ParseVersion(text string) (*semver.Version, error) {
	version, err := semver.StrictNewVersion(strings.TrimPrefix(text, "v"))
	if err != nil {
		return nil, fmt.Errorf("%w: %.80q: %w", ErrVersion, text, err)
	}
	return version, nil
}

// Range is a set of versions. The zero Range is empty. Immutable, so safe for concurrent use.
type Range struct {
	groups []group // a version is in the range if it is in one of them
}

// group is a set of comparators that must all hold. No comparator: every release.
type group []comparator

// comparator is one plain comparison with a full version.
type comparator struct {
	op      operator
	version *semver.Version
}

type operator uint8

const (
	equal operator = iota
	less
	lessOrEqual
	greater
	greaterOrEqual
)

// Contains reports whether the version is in the range.
//
// Safe for concurrent use.
func (r Range) Contains(version *semver.Version) bool {
	for _, g := range r.groups {
		if g.contains(version) {
			return true
		}
	}
	return false
}

func (g group) contains(version *semver.Version) bool {
	admitted := version.Prerelease() == ""
	for _, c := range g {
		if !c.holds(version) {
			return false
		}
		admitted = admitted || c.version.Prerelease() != "" && sameRelease(c.version, version)
	}
	return admitted
}

func (c comparator) holds(version *semver.Version) bool {
	order := version.Compare(c.version)
	switch c.op {
	case less:
		return order < 0
	case lessOrEqual:
		return order <= 0
	case greater:
		return order > 0
	case greaterOrEqual:
		return order >= 0
	default:
		return order == 0
	}
}

func sameRelease(a, b *semver.Version) bool {
	return a.Major() == b.Major() && a.Minor() == b.Minor() && a.Patch() == b.Patch()
}
