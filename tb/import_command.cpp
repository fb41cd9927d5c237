// import: a configuration of another simulator as one of ours.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "config/document.h"
#include "config/imported.h"
#include "core/error.h"
#include "core/error_output.h"
#include "tb/options.h"

namespace noctule {

int import_command(const Options& options) {
  Faults faults;
  const std::string text = read_text_file(options.file, "FILE", {}, faults);
  if (!faults.empty()) throw ConfigError(faults.front().key, faults.front().message);
  const bool booksim = options.format == "booksim";
  const auto imported = booksim ? import_booksim(text, options.file) : import_noxim(text, options.file);
  std::cout << imported.yaml(fmt::format("From {}, a configuration of {}.",
                                         std::filesystem::path(options.file).filename().string(),
                                         booksim ? "BookSim2" : "Noxim"));
  if (!options.quiet && !imported.remarks().empty())
    print_error("noctule: {} {}; they stand at the top of the file\n", imported.remarks().size(),
                imported.remarks().size() == 1 ? "remark on what differs or has no counterpart"
                                               : "remarks on what differs or has no counterpart");
  return kDone;
}

}  // namespace noctule
