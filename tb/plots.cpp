#include "tb/plots.h"

#include <fmt/format.h>

#include <cstdio>

#include "core/child_program.h"
#include "core/data_files.h"
#include "core/error_output.h"

namespace noctule {
std::vector<std::string> draw_plots(const Json& wanted, const std::string& folder) {
  if (wanted.empty()) return {};
  const std::filesystem::path script = find_data("scripts/plot");
  if (script.empty()) {
    print_error("noctule: no plots: the script `plot` does not stand beside the program\n");
    return {};
  }
  std::vector<std::string> words{"/usr/bin/python3", script.string(), folder};
  for (const auto& kind : wanted) {
    words.emplace_back("--kind");
    words.push_back(kind.get<std::string>());
  }
  const auto [code, text] = run_program(words);
  if (code != 0)
    print_error("noctule: no plots: {} ended with exit code {}; the results are complete\n", script.string(),
                code);
  std::vector<std::string> files;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    files.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return files;
}

}  // namespace noctule
