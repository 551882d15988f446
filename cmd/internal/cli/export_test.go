package cli

// What the tests of the package use of its inside.
type (
	Size     = size
	Strategy = strategy
	Restart  = restart
	Restarts = restarts
)

var (
	StatusOf  = statusOf
	Complaint = complaint
)
