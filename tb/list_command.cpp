// list: what is registered, from the declarations.

#include <fmt/format.h>

#include <iostream>
#include <optional>
#include <string>

#include "config/reference.h"
#include "core/error.h"
#include "core/json.h"
#include "core/registry.h"
#include "tb/options.h"

namespace noctule {
namespace {

[[noreturn]] void unknown(const std::string& name) {
  const auto nearest = nearest_description(name);
  throw ConfigError("list",
                    fmt::format("there is nothing called '{}'{}; `noctule list` shows every part, "
                                "`noctule list --reference` every key",
                                name, nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)));
}

}  // namespace

int list_command(const Options& options) {
  if (options.reference) {
    if (!options.file.empty())
      throw ConfigError("--reference", fmt::format("prints every key, whatever '{0}' is; `noctule list {0}` "
                                                   "describes one part",
                                                   options.file));
    if (options.json)
      throw ConfigError("--json",
                        "--reference prints a configuration in YAML; `noctule list NAME --json` "
                        "describes a part or a key in JSON");
    std::cout << reference_yaml();
    return kDone;
  }
  std::optional<std::string> text;
  if (options.json) {
    if (const auto json = described(options.file)) text = json->dump(1) + "\n";
  } else {
    text = options.file.empty() ? list_everything() : describe(options.file);
  }
  if (!text) unknown(options.file);
  std::cout << *text;
  return kDone;
}

}  // namespace noctule
