package inspect

import (
	"fmt"
	"strings"

	"github.com/JairusSW/pool/cmd/internal/guest"
	"github.com/wago-org/wago"
)

// modulePool is where the guest ABI lives.
const modulePool = "pool"

// Served names the imports that guests find.
func Served() string {
	modules := make(map[string][]string)
	var order []string
	for _, f := range guest.Functions() {
		if modules[f.Module] == nil {
			order = append(order, f.Module)
		}
		modules[f.Module] = append(modules[f.Module], f.Name)
	}
	parts := make([]string, 0, len(order)+1)
	for _, module := range order {
		parts = append(parts, module+"."+strings.Join(modules[module], "|"))
	}
	return strings.Join(append(parts, wago.WASIModule+".*"), ", ")
}

// instead says what the import could have meant.
func instead(imp Import) string {
	for _, f := range guest.Functions() {
		if f.Module != modulePool {
			continue
		}
		switch {
		case imp.Name == f.Name: // of another module
			return fmt.Sprintf("%s is; name its module (C: import_module(%q), Rust: wasm_import_module = %q, AssemblyScript: @external)",
				f.Key(), modulePool, modulePool)
		case imp.Module == modulePool && near(imp.Name, f.Name):
			return fmt.Sprintf("did you mean %s?", f.Key())
		}
	}
	return Served() + " are"
}

// near reports whether one word is the other but for letter case and a letter or two that are wrong, missing or too many.
func near(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1) // of Levenshtein's distance
	for i := range row {
		row[i] = i
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)] <= (len(b)+1)/3
}
