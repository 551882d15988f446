package pool

import (
	"encoding/json"

	"github.com/JairusSW/pool/service"
)

// ConfiguredLimits is what the service gets of a configuration.
func ConfiguredLimits(raw json.RawMessage) (service.Limits, error) {
	c, err := decodeConfig(raw)
	return c.limits(), err
}
