#pragma once
// The keys of BookSim2, their defaults, and the words that they take (src/booksim_config.cpp, June 2017).

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace noctule {

/// Keys that have a counterpart here, with BookSim2's defaults.
[[nodiscard]] const std::map<std::string, std::string>& booksim_keys();

/// All keys that BookSim2 has.
[[nodiscard]] std::vector<std::string> booksim_key_names();

/// What is wrong with a word that the key takes in no version of BookSim2; empty: nothing.
[[nodiscard]] std::string wrong_booksim_word(const std::string& key, const std::string& value);

/// "dim_order" for "dim_order_torus".
[[nodiscard]] std::string routing_without_network(std::string function);

/// What to know of a key that has no counterpart; nothing where its value is what routers and runs are here,
/// or where results do not depend on it.
[[nodiscard]] std::optional<std::string> remark_on_booksim(const std::string& key, const std::string& value);

}  // namespace noctule
