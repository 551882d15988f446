// Package picture draws a [measure.Table] as curves, in SVG: both axes logarithmic, each curve named at its right end, and
// readable on light and on dark ground, whatever that is.
package picture
