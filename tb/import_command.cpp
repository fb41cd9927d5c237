// import: a configuration of another simulator as one of ours.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "config/document.h"
#include "config/imported.h"
#include "core/error.h"
#include "core/error_output.h"
#include "tb/options.h"

namespace noctule {
namespace {

void check_format(const Options& options) {
  const std::string& format = options.format;
  if (format == "booksim" || format == "noxim") return;
  if (format == "garnet" || format == "gem5")
    throw ConfigError("FORMAT",
                      "Garnet's configurations are Python; configs/from-garnet.md has its keys and ours side "
                      "by side");
  if (format.find('.') != std::string::npos || std::filesystem::exists(format))
    throw ConfigError("FORMAT", fmt::format("'{0}' is a file: `noctule import booksim {0}`, or noxim instead "
                                            "of booksim",
                                            format));
  throw ConfigError("FORMAT", fmt::format("'{}' is none; there are booksim and noxim, as in `noctule import "
                                          "booksim FILE`",
                                          format));
}

/// The file, and words of BookSim2's kind: "k=4".
struct Words {
  std::string file;
  std::vector<std::string> overrides;
};
Words words_of(const Options& options) {
  Words words;
  for (const std::string& word : options.words) {
    if (word.find('=') != std::string::npos && !std::filesystem::exists(word))
      words.overrides.push_back(word);
    else if (words.file.empty())
      words.file = word;
    else
      throw ConfigError("FILE", fmt::format("there are two: '{}' and '{}'; give one", words.file, word));
  }
  if (words.file.empty())
    throw ConfigError("FILE", fmt::format("none is given; `noctule import {} FILE`", options.format));
  if (!words.overrides.empty() && options.format == "noxim")
    throw ConfigError(words.overrides.front(),
                      "files of Noxim have no such words; change the file, or the YAML that comes of it");
  return words;
}

}  // namespace

int import_command(const Options& options) {
  check_format(options);
  const auto [file, overrides] = words_of(options);
  const bool booksim = options.format == "booksim";
  Faults faults;
  const std::string text = read_text_file(
      file, "FILE", {}, faults, booksim ? "a configuration of BookSim2" : "a configuration of Noxim");
  if (!faults.empty()) throw ConfigError(faults.front().key, faults.front().message);
  const auto imported = booksim ? import_booksim(text, file, overrides) : import_noxim(text, file);
  std::cout << imported.yaml(fmt::format("From {}, a configuration of {}.",
                                         std::filesystem::path(file).filename().string(),
                                         booksim ? "BookSim2" : "Noxim"));
  if (options.quiet || imported.remarks().empty()) return kDone;
  for (const std::string& remark : imported.remarks()) print_error("noctule: remark: {}\n", remark);
  print_error("noctule: {} {}; they stand at the top of the file, too\n", imported.remarks().size(),
              imported.remarks().size() == 1 ? "remark on what differs or has no counterpart"
                                             : "remarks on what differs or has no counterpart");
  return kDone;
}

}  // namespace noctule
