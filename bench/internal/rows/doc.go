// Package rows is what is measured: a file for each row or family of rows, which begins with how it is measured.
package rows
