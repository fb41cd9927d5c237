#include "traffic/message_chain.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace noctule {

namespace {

using Classes = std::vector<SourceContext::MessageEnd>;

/// The class that a chain begins with: the first one, if something follows it, else the only one that others
/// follow and that follows none. The first one, too, if there are several such, or none.
std::uint8_t first_of_chain(const Classes& classes) {
  if (!classes.front().causes.empty()) return 0;
  std::vector<bool> begins(classes.size());
  for (std::size_t c = 0; c < classes.size(); ++c) begins[c] = !classes[c].causes.empty();
  for (const auto& end : classes)
    for (const std::uint8_t then : end.causes) begins[then] = false;
  return std::ranges::count(begins, true) == 1
             ? static_cast<std::uint8_t>(std::ranges::find(begins, true) - begins.begin())
             : std::uint8_t{0};
}

}  // namespace

std::vector<std::uint8_t> chain_of(const SourceContext& context, const std::vector<std::string>& names) {
  const auto& classes = context.classes;
  std::vector<std::uint8_t> chain;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(classes, name, &SourceContext::MessageEnd::name);
    if (found == classes.end())
      throw ConfigError("traffic.source.chain", fmt::format("there is no message class '{}'; name it in "
                                                            "message_classes",
                                                            name));
    chain.push_back(static_cast<std::uint8_t>(found - classes.begin()));
  }
  if (chain.empty() && classes.size() == 1) chain = {0, 0};
  if (chain.empty()) {
    chain = {first_of_chain(classes)};
    while (classes[chain.back()].causes.size() == 1) chain.push_back(classes[chain.back()].causes.front());
  }
  if (chain.size() < 2)
    throw ConfigError(
        "traffic.source.chain",
        "a chain has two messages or more, and begins with the first class, or the only one that begins one; "
        "say in depends what follows what, such as {request: [response]}, so that the proof knows of it too; "
        "or name the message classes of its steps");
  for (std::size_t step = 0; step < chain.size(); ++step)
    for (const std::uint8_t then : classes[chain[step]].causes)
      if (step + 1 == chain.size() || chain[step + 1] != then)
        throw ConfigError(
            "traffic.source.chain",
            fmt::format("depends says that a terminal which takes a {} sends a {}, and the chain goes "
                        "on otherwise; name a chain that follows depends",
                        classes[chain[step]].name, classes[then].name));
  return chain;
}

}  // namespace noctule
