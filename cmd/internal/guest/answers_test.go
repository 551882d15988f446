package guest_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/JairusSW/pool/cmd/internal/guest"
)

func TestExactlyOneAnswerIsGood(t *testing.T) {
	tests := map[string]struct {
		say   func(guest.Step)
		reply string
		err   error
	}{
		"a reply":           {func(s guest.Step) { s.Reply(1, "yes") }, "yes", nil},
		"an empty reply":    {func(s guest.Step) { s.Reply(1, "") }, "", nil},
		"the longest reply": {func(s guest.Step) { s.Reply(1, "12345678") }, "12345678", nil},
		"a failure":         {func(s guest.Step) { s.Fail(1, "no") }, "", &guest.FailedError{Message: "no"}},
		"two failures":      {func(s guest.Step) { s.Fail(1, "no"); s.Fail(1, "NO") }, "", &guest.FailedError{Message: "no"}},
		"nothing":           {func(guest.Step) {}, "", guest.ErrNoReply},
		"another's reply":   {func(s guest.Step) { s.Reply(2, "yes") }, "", guest.ErrNoReply},
		"two replies":       {func(s guest.Step) { s.Reply(1, "yes"); s.Reply(1, "yes") }, "", guest.ErrTwoReplies},
		"a reply, a fail":   {func(s guest.Step) { s.Reply(1, "yes"); s.Fail(1, "no") }, "", guest.ErrReplyAndFail},
		"a fail, a reply":   {func(s guest.Step) { s.Fail(1, "no"); s.Reply(1, "yes") }, "", guest.ErrReplyAndFail},
		"too long a reply":  {func(s guest.Step) { s.Reply(1, "123456789") }, "", guest.ErrReplyTooLong},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := guest.Step{Answers: guest.NewAnswers(8)}
			s.Open(1)
			test.say(s)
			reply, passed, err := s.Close(1)
			assert.True(t, passed)
			assert.Equal(t, test.reply, reply)
			if failed, ok := test.err.(*guest.FailedError); ok {
				assert.Equal(t, failed, err)
			} else {
				assert.ErrorIs(t, err, test.err)
			}
			_, passed, _ = s.Close(1)
			assert.False(t, passed, "it was forgotten")
		})
	}
}

func TestAnAnswerIsKeptWhenItsWorkerEnds(t *testing.T) {
	s := guest.Step{Answers: guest.NewAnswers(8)}
	s.Open(1)
	s.Reply(1, "yes")
	kept, ok := s.Kept(1)
	assert.True(t, ok)
	assert.Equal(t, guest.Kept{Worker: 7, Reply: []byte("yes")}, kept)
	_, ok = s.Kept(1)
	assert.False(t, ok)

	s.Open(2)
	kept, ok = s.Kept(2)
	assert.True(t, ok)
	assert.ErrorIs(t, kept.Err, guest.ErrNoReply)
}

func TestAReusedAnswerStartsEmpty(t *testing.T) {
	s := guest.Step{Answers: guest.NewAnswers(100)}
	for tag := range uint64(10) {
		s.Open(tag)
		if tag%2 == 0 {
			s.Reply(tag, strings.Repeat("x", int(tag)))
		}
		reply, _, err := s.Close(tag)
		if tag%2 == 0 {
			assert.Len(t, reply, int(tag))
		} else {
			assert.ErrorIs(t, err, guest.ErrNoReply)
		}
	}
}

func TestAnswersHammer(t *testing.T) {
	s := guest.Step{Answers: guest.NewAnswers(100)}
	var workers sync.WaitGroup
	for w := range uint64(8) {
		workers.Go(func() {
			want := strings.Repeat(string(rune('a'+w)), 50)
			for tag := w; tag < 20_000; tag += 8 {
				s.Open(tag)
				s.Reply(tag, want)
				if reply, _, err := s.Close(tag); reply != want || err != nil {
					t.Errorf("tag %d: %q, %v", tag, reply, err)
				}
			}
		})
	}
	workers.Wait()
}

func BenchmarkAnswers(b *testing.B) {
	s := guest.Step{Answers: guest.NewAnswers(100)}
	b.ReportAllocs()
	for b.Loop() {
		s.Open(1)
		s.Reply(1, "yes")
		_, _, _ = s.Close(1)
	}
}
