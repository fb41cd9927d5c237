#pragma once
// What is probably meant by a word that is none of ours.

#include <string>
#include <vector>

#include "core/nearest.h"

namespace noctule {

/// The dotted key that goes by this word in other simulators, or in papers: "node.lanes" for "num_vcs".
/// Capitals, hyphens and underscores count for nothing. Empty: none.
std::string key_of_synonym(const std::string& word);
/// The dotted key of this section, or with "" of any, for which such a word stands that is misspelt here:
/// "node.lanes" for "vrtual_channels". Empty: none.
std::string key_near_synonym(const std::string& word, const std::string& section);

/// The same for values: what is probably meant by the word among these, by its use elsewhere or else by its
/// spelling: "dimension_order" for "xy". Empty: none.
std::string suggested_value(const std::string& word, const std::vector<std::string>& allowed);

/// What to do instead of a key of a section ("node", "nodes[0].rtl") that has no counterpart of one word, as
/// part of a sentence: "stages are given one by one: ...". Empty: nothing is known of the word.
std::string remedy_for(const std::string& section, const std::string& word);

/// The keys and the values that have other names elsewhere.
std::vector<std::string> keys_with_synonyms();
std::vector<std::string> values_with_synonyms();

}  // namespace noctule
