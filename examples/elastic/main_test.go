package main

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const picture = `  40 ms #        1 done
  80 ms #        2 done
 120 ms #        3 done
 160 ms ######## 11 done
 200 ms ######## 19 done
 240 ms ######## 27 done
 280 ms ######## 35 done
 320 ms ######## 51 done
 360 ms ######## 59 done
 400 ms ######## 67 done
 440 ms ######## 75 done
 480 ms ######## 83 done
 520 ms ######## 99 done
 560 ms ######## 107 done
 600 ms ######## 114 done
 640 ms ######## 115 done
 680 ms ######## 116 done
 720 ms ######   117 done
 760 ms ##       118 done
 800 ms #        119 done
`

// In a bubble, whose clock stands still while anybody works, the picture is the same each time.
func TestThePictureOfABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		require.NoError(t, run(context.Background(), &out))
		assert.Equal(t, picture, out.String())
	})
}
