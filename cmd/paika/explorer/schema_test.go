package explorer

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// schemas checks values by the part of JSON Schema (2020-12) that the description
// of the API uses. It is stricter than a client may be: members that are not
// described are faults, and so are words of a schema that it does not know.
type schemas struct{ document map[string]any }

// faults lists what is wrong with a value, each with its place.
func (s schemas) faults(at string, schema, value any) (all []string) {
	rules, ok := schema.(map[string]any)
	if !ok {
		return []string{at + ": no schema"}
	}
	if reference, ok := rules["$ref"].(string); ok {
		return s.faults(at, s.find(reference), value)
	}
	wrong := func(format string, a ...any) { all = append(all, at+": "+fmt.Sprintf(format, a...)) }
	for word, rule := range rules {
		switch word {
		case "description", "default", "example", "required", "items":
		case "type":
			if !slices.ContainsFunc(list(rule), func(name any) bool { return isA(name.(string), value) }) {
				wrong("%v is not of type %v", value, rule)
			}
		case "const":
			if value != rule {
				wrong("%v is not %v", value, rule)
			}
		case "enum":
			if !slices.Contains(rule.([]any), value) {
				wrong("%v is none of %v", value, rule)
			}
		case "minimum":
			if n, ok := value.(float64); ok && n < rule.(float64) {
				wrong("%v is less than %v", value, rule)
			}
		case "maxLength":
			if text, ok := value.(string); ok && float64(utf8.RuneCountInString(text)) > rule.(float64) {
				wrong("%q is longer than %v", text, rule)
			}
		case "properties":
			all = append(all, s.members(at, rules, value)...)
		case "anyOf":
			all = append(all, s.anyOf(at, rule.([]any), value)...)
		default:
			wrong("the schema says %s, which the tests do not know", word)
		}
	}
	if elements, ok := value.([]any); ok && rules["items"] != nil {
		for i, element := range elements {
			all = append(all, s.faults(fmt.Sprintf("%s[%d]", at, i), rules["items"], element)...)
		}
	}
	return all
}

func (s schemas) members(at string, rules map[string]any, value any) (all []string) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	described := rules["properties"].(map[string]any)
	for _, name := range list(rules["required"]) {
		if _, ok := object[name.(string)]; !ok {
			all = append(all, fmt.Sprintf("%s: %v is missing", at, name))
		}
	}
	for name, member := range object {
		schema, ok := described[name]
		if !ok {
			all = append(all, fmt.Sprintf("%s: %s is not described", at, name))
			continue
		}
		all = append(all, s.faults(at+"."+name, schema, member)...)
	}
	return all
}

// anyOf gives the faults by the schema that has fewest.
func (s schemas) anyOf(at string, choices []any, value any) (fewest []string) {
	for i, choice := range choices {
		found := s.faults(at, choice, value)
		if i == 0 || len(found) < len(fewest) {
			fewest = found
		}
	}
	return fewest
}

// find follows a reference within the document.
func (s schemas) find(reference string) any {
	var at any = s.document
	for name := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
		members, _ := at.(map[string]any)
		at = members[name]
	}
	return at
}

// resolved is a part of the document, or what it refers to.
func (s schemas) resolved(part any) map[string]any {
	members, _ := part.(map[string]any)
	if reference, ok := members["$ref"].(string); ok {
		return s.resolved(s.find(reference))
	}
	return members
}

func isA(name string, value any) bool {
	switch v := value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return false
}

// list is a value, or the values of an array.
func list(value any) []any {
	switch v := value.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{value}
}

// parsed is JSON as schemas are checked on.
func parsed(text []byte) (value any, err error) {
	err = json.Unmarshal(text, &value)
	return value, err
}
