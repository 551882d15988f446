// Package report writes what was measured: a line for each row as it comes, tables in Markdown, JSON.
package report
