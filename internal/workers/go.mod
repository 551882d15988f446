module github.com/wago-org/workers

go 1.25.0

require github.com/wago-org/wago v0.0.0-20260812144524-1c58c9862d25

require (
	github.com/stretchr/testify v1.12.1 // indirect
	go.uber.org/goleak v1.3.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

replace github.com/wago-org/wago => ../wago
