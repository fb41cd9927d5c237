#include "traffic/named_ends.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/json.h"
#include "core/words.h"

namespace noctule {

std::string wrong_terminal(const Topology& topology, const char* what, std::uint64_t terminal) {
  if (terminal < topology.terminals()) return {};
  return fmt::format("{} {} does not exist; terminals are 0 to {}", what, terminal, topology.terminals() - 1);
}

std::string wrong_terminal(const Topology& topology, const char* what, std::string_view word,
                           std::uint64_t& terminal) {
  if (!read_number(word, terminal))
    return fmt::format("the {} is '{}'; expected the number of a terminal", what, word);
  return wrong_terminal(topology, what, terminal);
}

const TerminalNames::ByRouter& TerminalNames::by_router(bool source) {
  auto& names = source ? injecting_ : consuming_;
  if (!names) {
    names.emplace();
    for (std::uint32_t t = 0; t < topology_.terminals(); ++t)
      (*names)[topology_.router_name(source ? topology_.injection_router(TerminalId{t})
                                            : topology_.consumption_router(TerminalId{t}))]
          .push_back(t);
  }
  return *names;
}

std::string TerminalNames::wrong(std::string_view word, bool source, std::uint64_t& terminal) {
  if (word.empty()) return "it is empty; a terminal is needed, by number or by name";
  const std::size_t all = topology_.terminals();
  if (read_number(word, terminal))
    return terminal < all
               ? std::string()
               : fmt::format("terminal {} does not exist; terminals are 0 to {}", terminal, all - 1);
  constexpr std::string_view kTerminal = ".terminal_";
  const auto dot = word.find(kTerminal);
  const auto& names = by_router(source);
  const auto found = names.find(std::string(word.substr(0, dot)));
  if (found == names.end())
    return fmt::format(
        "there is no terminal '{}'; give a number from 0 to {}, or the name of a router with a terminal, as "
        "{}",
        word, all - 1, names.empty() ? "router_0" : topology_.router_name(topology_.injection_router({})));
  const auto& there = found->second;
  std::uint64_t place = 0;
  if (dot == std::string_view::npos
          ? there.size() == 1
          : read_number(word.substr(dot + kTerminal.size()), place) && place < there.size()) {
    terminal = there[place];
    return {};
  }
  return fmt::format("'{}' is none of the {} terminals there: {}{}0 to {}{}{}", word, there.size(),
                     found->first, kTerminal, found->first, kTerminal, there.size() - 1);
}

std::optional<std::string> listed_terminals(const Parameters& keys, const std::string& name) {
  if (!keys.has(name)) return {};
  const Json& given = keys.json().at(name);
  if (given == "all") return {};
  if (given.is_string()) return given.get<std::string>();
  return fmt::format("{}", fmt::join(given.get<std::vector<std::string>>(), ","));
}

std::string wrong_terminals(const Topology& topology, const char* what, std::string_view words,
                            std::vector<std::uint32_t>& list) {
  std::vector<bool> given(topology.terminals());
  std::string wrong;
  each_part(words, [&](std::string_view part) {
    const auto dash = std::min(part.find('-'), part.size());
    const auto end = dash == part.size() ? part : part.substr(dash + 1);
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    if (!read_number(part.substr(0, dash), first) || !read_number(end, last))
      wrong = fmt::format("the {} is '{}'; expected the number of a terminal, or a range such as 0-11", what,
                          part);
    else if (wrong = wrong_terminal(topology, what, first); wrong.empty())
      wrong = wrong_terminal(topology, what, last);
    if (wrong.empty() && last < first)
      wrong = fmt::format("the range '{}' ends before it begins; write {}-{}", part, last, first);
    for (; wrong.empty() && first <= last; ++first) {
      if (given[first]) wrong = fmt::format("{} {} is given twice", what, first);
      given[first] = true;
      list.push_back(static_cast<std::uint32_t>(first));
    }
    return wrong.empty();
  });
  return wrong;
}

std::string given_twice(std::span<const std::string_view> words, std::string_view several) {
  const auto key = [](std::string_view word) { return word.substr(0, word.find('=')); };
  for (auto word = words.begin(); word != words.end(); ++word)
    if (const auto before =
            std::find_if(words.begin(), word, [&](auto other) { return key(other) == key(*word); });
        before != word && key(*word) != several)
      return fmt::format("'{}' and '{}'; give one of them", *before, *word);
  return {};
}

std::string wrong_class(const SourceContext& context, std::string_view name, std::uint8_t& number) {
  const auto found = std::ranges::find(context.classes, name, &SourceContext::MessageEnd::name);
  if (found == context.classes.end() || name.empty())
    return fmt::format("there is no message class '{}'; name it in message_classes", name);
  number = static_cast<std::uint8_t>(found - context.classes.begin());
  return {};
}

std::string wrong_destination(const Topology& topology, std::uint64_t source,
                              std::span<const std::uint64_t> destinations) {
  const auto router = [&](std::uint64_t terminal) {
    return topology.consumption_router(TerminalId{static_cast<std::uint32_t>(terminal)});
  };
  for (auto d = destinations.begin(); d != destinations.end(); ++d) {
    if (*d == source)
      return fmt::format("terminal {} is the source of this message, and a destination", source);
    if (std::find(destinations.begin(), d, *d) != d)
      return fmt::format("destination {} is given twice in this message", *d);
    if (destinations.size() > 1 && router(*d) == router(source))
      return fmt::format("destination {} of this multicast is at the router of its source", *d);
  }
  return {};
}

}  // namespace noctule
