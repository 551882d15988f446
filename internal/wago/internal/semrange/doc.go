// Package semrange reads version ranges by the rules of npm (the semver README of the npm project) and holds versions against
// them.
//
// Versions are those of semver.org 2.0.0, parsed and ordered by github.com/Masterminds/semver. Its constraint language is not
// used, for it is another one: it takes "!=", "=>" and commas; "~0.0.0" and "^*" mean something else to it; a prerelease in one
// comparator opens the whole group to every prerelease. Here a range is rewritten to plain comparators, as npm does it:
//
//	1.2.3           =1.2.3                   a full version
//	1.2, 1.2.x      >=1.2.0 <1.3.0-0         x-range: what is left out or x, X, * is free
//	>1.2            >=1.3.0                  a comparator with an x-range takes its outer edge
//	~1.2.3          >=1.2.3 <1.3.0-0         same minor ("~1": same major); "~>" is the same
//	^1.2.3          >=1.2.3 <2.0.0-0         same leftmost part that isn't zero
//	^0.1.0          >=0.1.0 <0.2.0-0
//	1.2 - 2.3       >=1.2.0 <2.4.0-0         hyphen, with spaces around it
//	a b             both                     blanks between comparators
//	a || b          either
//
// The upper bounds end in "-0", the lowest prerelease, so that 2.0.0-alpha is not in ^1.2.3. A prerelease version is in a group
// only if one of the group's comparators has a prerelease of the same major.minor.patch. Build metadata is ignored.
package semrange
