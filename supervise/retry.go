package supervise

// Retry reports whether a task whose worker died holding it is to be delivered again: attempt is the
// delivery that just failed, counted from 1, and retries how many more there may be. So a task that kills
// every worker is delivered retries + 1 times.
//
// Safe for concurrent use.
func Retry(attempt, retries uint32) bool { return attempt <= retries }
