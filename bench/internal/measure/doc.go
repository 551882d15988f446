// Package measure is the harness of the benchmarks. A [Row] compares two things in rounds that alternate between them, so that
// whatever else the machine does meets both: each round is one [Sample], and what is reported is the median of the rounds'
// figures with the spread of the middle half, beside an [Aim] and its verdict.
//
// A [Timed] is one side of a row: it does an operation so many times and says how long that took, without what had to be made
// ready for it. How often is found out beforehand, so that one side of one round takes about as long as the other and long
// enough for the clock.
package measure
