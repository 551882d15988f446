package rows

import (
	"strings"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/direct"
	"github.com/JairusSW/pool/bench/internal/host"
	"github.com/JairusSW/pool/bench/internal/measure"
)

// ceiling is how many workers a host may have beyond those of its row: what was destroyed is counted until it has gone.
const ceiling = 64

// openHost starts a host that is closed when the row has been measured.
func openHost(b *measure.Bench, guest []byte, level host.Level, size uint32) (*host.Host, error) {
	h, err := host.Open(b.Context, host.Options{Guest: guest, Level: level, Workers: size + ceiling})
	if err != nil {
		return nil, err
	}
	b.OnClose(h.Close)
	return h, nil
}

// openPool is openHost with a pool.
func openPool(b *measure.Bench, guest []byte, opts pool.PoolOptions) (*host.Host, *host.Pool, error) {
	h, err := openHost(b, guest, host.Pools, opts.MinWorkers)
	if err != nil {
		return nil, nil, err
	}
	p, err := h.NewPool(opts)
	if err != nil {
		return nil, nil, err
	}
	b.OnClose(p.Destroy)
	return h, p, nil
}

// openDirect compiles a guest on wazero itself.
func openDirect(b *measure.Bench, guest []byte, how direct.Interruption) (*direct.Engine, error) {
	e, err := direct.Open(b.Context, guest, how)
	if err != nil {
		return nil, err
	}
	b.OnClose(func() error { return e.Close(b.Context) })
	return e, nil
}

// hyphened is a strategy's name as the report writes it.
func hyphened(kind pool.Strategy) string { return strings.ReplaceAll(kind.String(), "_", "-") }
