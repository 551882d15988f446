package guest

// What the tests of the package use of its inside.
var (
	View         = view
	ScriptString = scriptString
	Named        = named
)

// Step is what a worker says between two calls of pool.next.
type Step struct{ *Answers }

func (s Step) Open(tag uint64)                 { s.open(tag, 7) }
func (s Step) Reply(tag uint64, reply string)  { s.reply(tag, []byte(reply)) }
func (s Step) Fail(tag uint64, message string) { s.fail(tag, []byte(message)) }

// Close returns the verdict as the next step passes it on; passed is false when there was nothing to settle.
func (s Step) Close(tag uint64) (reply string, passed bool, err error) {
	_ = s.close(tag, func(kept []byte, verdict error) error {
		reply, passed, err = string(kept), true, verdict
		return nil
	})
	return reply, passed, err
}
