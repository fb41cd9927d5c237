#include "traffic/message_chain.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace noctule {

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
    chain = {0};
    while (classes[chain.back()].causes.size() == 1) chain.push_back(classes[chain.back()].causes.front());
  }
  if (chain.size() < 2)
    throw ConfigError(
        "traffic.source.chain",
        "a chain has two messages or more; say in depends what follows what, such as {request: [response]}, "
        "so that the proof knows of it too; or name the message classes of its steps");
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
