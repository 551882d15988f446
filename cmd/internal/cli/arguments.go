package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
)

// dashed is a value that begins as a flag does: a number below zero, or a standard stream.
var dashed = regexp.MustCompile(`^-([0-9.].*)?$`)

// repaired returns the arguments as the parser wants them: "help COMMAND" as a flag, and a flag's value that begins with a hyphen
// joined to the flag. Its error names a flag without a value.
func repaired(app *kong.Application, args []string) ([]string, error) {
	if args[0] == "help" {
		return append(args[1:len(args):len(args)], "--help"), nil
	}
	takesValue := valueFlags(app)
	var out []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return append(out, args[i:]...), nil
		case !takesValue[arg]:
			out = append(out, arg)
		case i+1 == len(args) || strings.HasPrefix(args[i+1], "-") && !dashed.MatchString(args[i+1]):
			return args, fmt.Errorf("%s needs a value", arg)
		default:
			i++
			out = append(out, arg+"="+args[i])
		}
	}
	return out, nil
}

func valueFlags(app *kong.Application) map[string]bool {
	flags := make(map[string]bool)
	_ = kong.Visit(app, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok && !flag.IsBool() {
			flags["--"+flag.Name] = true
		}
		return next(nil)
	}) // its error is next's
	return flags
}
