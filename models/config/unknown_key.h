#pragma once
// What was probably meant by a key that its section does not have, or by a list where a number should be.

#include <string>
#include <vector>

#include "config/document.h"
#include "core/parameters.h"

namespace noctule {

/// The dotted key that ends in this word, if exactly one key of the file does; else empty. Keys in lists and
/// in sections that the user names do not count.
std::string key_elsewhere(const std::string& word);

/// What follows "unknown key 'x'": "; did you mean 'node.lanes'?", ": do this instead.", "." where nothing is
/// near. `path`: of the section, which has `fields`; `variant`: the declaration whose entry it is, or null.
std::string about_unknown_key(const std::vector<Parameter>& fields, const Parameter* variant,
                              const ConfigNode::Entry& entry, const std::string& path);

/// The same for a dotted key, "node.speedup", where `nearest` is what find_declarations found.
std::string about_missing_key(const std::string& dotted_key, const std::string& nearest);
/// What to say of a list that was given to the number `dotted_key`.
std::string about_a_list(const std::string& dotted_key);

}  // namespace noctule
