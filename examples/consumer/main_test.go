package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func Example() {
	err := run(context.Background(), os.Stdout, []string{"hello", "wide", "world"})
	fmt.Println(err)
	// Output:
	// HELLO
	// WIDE
	// WORLD
	// <nil>
}

func TestEveryWordComesOutInOrder(t *testing.T) {
	var words []string
	var want strings.Builder
	for i := range 200 {
		words = append(words, fmt.Sprint("word ", i))
		fmt.Fprintln(&want, "WORD", i)
	}
	var out bytes.Buffer
	require.NoError(t, run(context.Background(), &out, words))
	assert.Equal(t, want.String(), out.String())
}

func TestAWordThatIsTooLongFailsAlone(t *testing.T) {
	var out bytes.Buffer
	err := run(context.Background(), &out, []string{"one", strings.Repeat("long", 17), "three"})
	require.ErrorIs(t, err, pool.ErrTaskFailed)
	var failed *pool.TaskError
	require.ErrorAs(t, err, &failed)
	assert.EqualValues(t, 1, failed.Tag)
	assert.Equal(t, "ONE\nTHREE\n", out.String())
}

func TestWordsThatKillTheirWorkersFailAlone(t *testing.T) {
	var out bytes.Buffer
	err := run(context.Background(), &out, []string{"one", "!", "!", "!", "!", "!", "!", "!", "!", "ten"})
	var trap *wago.TrapError
	require.ErrorAs(t, err, &trap)
	assert.Equal(t, "ONE\nTEN\n", out.String())
}

func TestNothingToDo(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(context.Background(), &out, nil))
	assert.Empty(t, out.String())
}
