package manifest

// ContractSpec names a contract one plugin offers to others. Majors are separate contracts: 1 and 2 are not compatible.
type ContractSpec struct {
	ID    string `json:"id"`
	Major uint32 `json:"major"` // at least 1
}

// ContractMode says how many providers a consumer wants.
type ContractMode string

// The modes of a contract requirement.
const (
	ContractRequired ContractMode = "required" // exactly one provider
	ContractOptional ContractMode = "optional" // none or one
	ContractMany     ContractMode = "many"     // every selected provider
)

// ContractRequirement names a contract a plugin uses.
type ContractRequirement struct {
	ID    string       `json:"id"`
	Major uint32       `json:"major"`
	Mode  ContractMode `json:"mode"`
}

// ContractBinding is the operator's choice of providers for one requirement. The order of Providers is the order in which
// the consumer sees them.
type ContractBinding struct {
	ID        string   `json:"id"`
	Major     uint32   `json:"major"`
	Providers []string `json:"providers,omitempty"` // plugin IDs
}
