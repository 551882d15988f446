module github.com/wago-org/wago

go 1.25.0

require (
	github.com/Masterminds/semver/v3 v3.5.0
	github.com/tetratelabs/wazero v1.12.0
)

require (
	github.com/stretchr/testify v1.12.1 // indirect
	go.uber.org/goleak v1.3.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)
