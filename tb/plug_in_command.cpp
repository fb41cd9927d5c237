// plug-in: a file of C++ becomes a library for --load.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "core/child_program.h"
#include "core/error.h"
#include "core/error_output.h"
#include "tb/options.h"
#include "tb/plug_ins.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

/// plug_in_headers(). Throws ConfigError where there are none.
fs::path headers() {
  if (fs::path found = plug_in_headers(); !found.empty()) return found;
  throw ConfigError("plug-in",
                    fmt::format("the headers of noctule are not beside this program; {}", kHeadersRemedy));
}

fs::path source_of(const Options& options) {
  fs::path file = options.file;
  if (!fs::is_regular_file(file))
    throw ConfigError("FILE", fmt::format("'{}' is no file; give one of C++, as mine.cpp", options.file));
  if (!is_cxx_source(options.file))
    throw ConfigError("FILE", fmt::format("'{}' is called '{}'; a file of C++ is called .cpp, .cc or .cxx",
                                          options.file, file.extension().string()));
  return file;
}

std::vector<std::string> compilation(const fs::path& source, const fs::path& library) {
  std::vector<std::string> words = cxx_compiler();
  std::istringstream flags(NOCTULE_PLUG_IN_FLAGS);  // NOLINT: the build says what this program was built with
  for (std::string flag; flags >> flag;) words.push_back(flag);
  for (const std::string& word : {std::string("-I"), headers().string(), std::string("-o"), library.string(),
                                  fs::absolute(source).string()})
    words.push_back(word);
  return words;
}

}  // namespace

int plug_in_command(const Options& options) {
  const fs::path source = source_of(options);
  if (const auto missing = missing_cxx_compiler(); !missing.empty()) throw ConfigError("plug-in", missing);
  const fs::path folder = options.out.empty() ? "." : options.out;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw ConfigError("--out " + options.out, fmt::format("the folder cannot be made: {}", error.message()));
  const fs::path library = folder / source.stem().concat(".so");

  const auto compiled = run_program(compilation(source, library), true);
  if (compiled.exit_code != 0) {
    print_error("{}", compiled.output);
    throw ConfigError(options.file, "it does not compile; what the compiler says stands above");
  }
  const Entries before = registered_entries();
  load_plug_ins({library.string()});
  if (options.quiet) return kDone;
  if (!compiled.output.empty()) print_error("{}", compiled.output);
  std::cout << fmt::format("{} adds", library.string());
  const char* between = " ";
  std::string routing;
  for (const auto& [kind, name] : registered_entries()) {
    if (before.contains({kind, name})) continue;
    std::cout << between << kind << ' ' << name;
    between = ", ";
    if (kind == "routing") routing = name;
  }
  std::cout << fmt::format("\nuse it with --load {}", library.string());
  if (!routing.empty())
    std::cout << fmt::format(", as in `noctule verify FILE --load {} --set routing={}`", library.string(),
                             routing);
  std::cout << '\n';
  return kDone;
}

}  // namespace noctule
