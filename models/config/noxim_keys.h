#pragma once
// The keys of Noxim, their defaults, and the words that they take, as its default configuration and its
// sources have them (May 2026).

#include <map>
#include <optional>
#include <string>

#include "config/document.h"

namespace noctule {

/// Keys that are translated, with Noxim's defaults.
[[nodiscard]] const std::map<std::string, std::string>& noxim_keys();

/// Does Noxim have the key, with or without a counterpart here?
[[nodiscard]] bool is_noxim_key(const std::string& key);

/// The key of Noxim that is probably meant by one that it does not have: capitals, hyphens and underscores
/// apart, at most two edits away; of words with less than 6 letters, one. Empty: none; it may be a key of
/// another version.
[[nodiscard]] std::string probable_noxim_key(const std::string& key);

/// Is the value a word that Noxim has for the key? True, too, for keys that take no words.
[[nodiscard]] bool is_noxim_word(const std::string& key, const std::string& word);

/// What is wrong with the value of a key that takes words: that it is none, that it is probably misspelt, or
/// that no version of Noxim takes it. Empty: nothing; other versions have more algorithms and patterns.
[[nodiscard]] std::string wrong_noxim_word(const std::string& key, const ConfigNode& value);

/// What to say of a key that has no counterpart. `wireless`: hubs and channels of radio are in use. Nothing:
/// it has one, or its value means what is the case here.
[[nodiscard]] std::optional<std::string> remark_on_noxim(const ConfigNode::Entry& entry, bool wireless);

}  // namespace noctule
