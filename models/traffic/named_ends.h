#pragma once
// Terminals and message classes that a file names. Each function says what is wrong with them; empty:
// nothing.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "topology/topology.h"
#include "traffic/source.h"

namespace noctule {

/// `what`: "source", "destination", ...
[[nodiscard]] std::string wrong_terminal(const Topology& topology, const char* what, std::uint64_t terminal);
/// Reads the number of a terminal; `terminal` is it if nothing is wrong.
[[nodiscard]] std::string wrong_terminal(const Topology& topology, const char* what, std::string_view word,
                                         std::uint64_t& terminal);
/// Terminals by number, or by name: that of a router with one terminal, "router_3_4", or of one among several
/// there, "router_3_4.terminal_1". Where packets enter and leave the network at different routers, a source
/// goes by the former, a destination by the latter.
class TerminalNames {
 public:
  explicit TerminalNames(const Topology& topology) : topology_(topology) {}
  /// What is wrong with the word; `terminal` is it if nothing is.
  [[nodiscard]] std::string wrong(std::string_view word, bool source, std::uint64_t& terminal);

 private:
  using ByRouter = std::unordered_map<std::string, std::vector<std::uint32_t>>;
  [[nodiscard]] const ByRouter& by_router(bool source);

  const Topology& topology_;
  std::optional<ByRouter> injecting_;
  std::optional<ByRouter> consuming_;
};

/// What a key says of terminals, given as a text, "0-11,20", or as a list of such, as one text; none: the key
/// says all, or nothing.
[[nodiscard]] std::optional<std::string> listed_terminals(const Parameters& keys, const std::string& name);
/// Reads terminals with commas between them, "0,5,7", and ranges of them, "0-11"; `list` has them in the
/// order given, each once, if nothing is wrong.
[[nodiscard]] std::string wrong_terminals(const Topology& topology, const char* what, std::string_view words,
                                          std::vector<std::uint32_t>& list);
/// The destinations of a message from terminal `source`, all of which exist: a message does not go to its own
/// source; a multicast goes to different terminals of other routers.
[[nodiscard]] std::string wrong_destination(const Topology& topology, std::uint64_t source,
                                            std::span<const std::uint64_t> destinations);
/// Two of the words that are "key=value" with one key, which may not be: what to say; empty: there are none.
/// `several`: a key that may.
[[nodiscard]] std::string given_twice(std::span<const std::string_view> words, std::string_view several = {});
/// Looks a message class up; `number` is its number if nothing is wrong.
[[nodiscard]] std::string wrong_class(const SourceContext& context, std::string_view name,
                                      std::uint8_t& number);

}  // namespace noctule
