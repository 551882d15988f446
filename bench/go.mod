module github.com/JairusSW/pool/bench

go 1.25.0

require (
	github.com/JairusSW/pool v0.1.2
	github.com/panjf2000/ants/v2 v2.12.1
	github.com/sourcegraph/conc v0.3.0
	github.com/stretchr/testify v1.12.1
	github.com/tetratelabs/wazero v1.12.0
	github.com/wago-org/wago v0.0.0-20260812144524-1c58c9862d25
	github.com/wago-org/workers v0.0.0-20260812144603-4a90ff25d5e4
	go.uber.org/goleak v1.3.0
	golang.org/x/term v0.40.0
	pgregory.net/rapid v1.3.0
)

require (
	github.com/Masterminds/semver/v3 v3.5.0 // indirect
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sync v0.11.0 // indirect
	golang.org/x/sys v0.44.0 // indirect
)

replace (
	github.com/JairusSW/pool => ../
	github.com/wago-org/wago => ../internal/wago
	github.com/wago-org/workers => ../internal/workers
)
