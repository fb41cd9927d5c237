// list: what is registered, from the declarations.

#include <fmt/format.h>

#include <iostream>

#include "config/reference.h"
#include "core/error.h"
#include "core/registry.h"
#include "tb/options.h"

namespace noctule {
namespace {

Json everything() {
  Json kinds = Json::object();
  for (const auto& kind : Catalog::instance().kinds()) {
    Json entries = Json::object();
    for (const auto* entry : Catalog::instance().entries(kind)) entries[entry->name] = entry->description;
    kinds[kind] = std::move(entries);
  }
  return kinds;
}

}  // namespace

int list_command(const Options& options) {
  if (options.reference) {
    std::cout << reference_yaml();
    return kDone;
  }
  if (options.json) {
    std::cout << everything().dump(1) << '\n';
    return kDone;
  }
  if (options.file.empty()) {
    std::cout << list_everything();
    return kDone;
  }
  if (const auto text = describe(options.file)) {
    std::cout << *text;
    return kDone;
  }
  const auto nearest = nearest_description(options.file);
  throw ConfigError(
      "list", fmt::format("there is nothing called '{}'{}; `noctule list` shows everything", options.file,
                          nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)));
}

}  // namespace noctule
