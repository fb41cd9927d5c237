#include "tb/plots.h"

#include <fmt/format.h>

#include <cstdio>

#include "core/child_program.h"
#include "core/data_files.h"
#include "core/error_output.h"
#include "core/json.h"

namespace noctule {
std::vector<std::string> draw_plots(const Json& wanted, const std::string& folder, const Options& options) {
  if (wanted.empty()) return {};
  const std::filesystem::path script = find_data("scripts/plot");
  if (script.empty()) {
    print_error(
        "noctule: no plots: the script `plot` is not installed beside the program; the results are "
        "complete\n");
    return {};
  }
  std::vector<std::string> words{"/usr/bin/python3", script.string(), folder};
  for (const auto& kind : wanted) {
    words.emplace_back("--kind");
    words.push_back(kind.get<std::string>());
  }
  if (options.threads != 0) words.insert(words.end(), {"--jobs", std::to_string(options.threads)});
  if (options.quiet) words.emplace_back("--quiet");
  if (options.progress) words.emplace_back("--progress");
  const auto [code, text] = run_program(words);
  if (code != 0)
    print_error(
        "noctule: not all plots were drawn: {} ended with exit code {}; the results are complete; to draw "
        "them "
        "again: {} {}\n",
        script.string(), code, script.string(), folder);
  std::vector<std::string> files;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    files.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return files;
}

}  // namespace noctule
