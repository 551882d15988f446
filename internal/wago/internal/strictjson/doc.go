// Package strictjson decodes a JSON object the way a configuration has to be read: what the reader doesn't understand
// completely is an error, never a guess. It stands on encoding/json, which by itself takes text behind the value, unknown and
// repeated names, names in another letter case, and null for anything.
//
// The rules of [Decode]:
//
//   - Exactly one value, and that value is an object. Blanks around it are JSON and accepted, however many.
//   - Every name of an object that becomes a struct is the name of a field, letter for letter, and occurs once. Two spellings
//     that differ only in letter case are one name, occurring twice.
//   - Elsewhere (maps, interfaces, types with their own UnmarshalJSON) names are data: only exact repetition is refused.
//   - null is refused, unless [AllowNull] is given or the value belongs to a type with its own UnmarshalJSON.
//   - Numbers are what encoding/json makes of them: 3.0, 1e2 and "3" are no integers, nothing outside the field's type is
//     accepted, and -0 is an integer but not an unsigned one.
//   - At most [MaxDepth] levels, and only valid UTF-8. Time and memory are proportional to the input.
//
// Errors are [*DecodeError] values, with the path of the field and the byte offset, and wrap a constant.
package strictjson
