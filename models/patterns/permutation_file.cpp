// A permutation from a text file: lines "source destination", "#" starts a comment. Terminals without a line
// are silent; no terminal is source or destination of two lines.

#include <fmt/format.h>

#include <map>

#include "core/number_lines.h"
#include "patterns/permutation.h"

namespace noctule {
namespace {

std::vector<std::uint32_t> read_table(const std::string& path, std::size_t terminals) {
  std::vector<std::uint32_t> partner(terminals, Permutation::kSilent);
  std::map<std::uint64_t, std::string> source_at;
  std::map<std::uint64_t, std::string> destination_at;
  LineFaults faults(kPatternKey);
  for (const auto& line : read_number_lines(path, {"source", "destination"}, kPatternKey)) {
    const auto check = [&](const char* what, std::uint64_t terminal, auto& seen) {
      if (terminal >= terminals) {
        faults.add(line.place,
                   fmt::format("{} {} does not exist; terminals are 0 to {}", what, terminal, terminals - 1));
        return false;
      }
      const auto [first, fresh] = seen.emplace(terminal, line.place);
      if (!fresh)
        faults.add(line.place, fmt::format("{} {} was already given at {}; a permutation has each terminal "
                                           "once",
                                           what, terminal, first->second));
      return fresh;
    };
    const bool source_fits = check("source", line.values[0], source_at);
    const bool destination_fits = check("destination", line.values[1], destination_at);
    if (source_fits && destination_fits) partner[line.values[0]] = static_cast<std::uint32_t>(line.values[1]);
  }
  faults.raise();
  if (source_at.empty()) throw ConfigError(kPatternKey, "'" + path + "' has no line 'source destination'");
  return partner;
}

const Registration<PatternRegistry> kPermutationFileRegistered{
    {{"permutation_file", "a permutation from a text file",
      permutation_parameters(
          {Parameter::file("file",
                           "text file with lines 'source destination'; terminals without a line are silent")
               .mandatory()})},
     [](const std::shared_ptr<const Topology>& topology, const Parameters& keys, std::uint64_t) {
       if (!keys.has("file"))
         throw ConfigError(kPatternKey,
                           "permutation_file needs the key 'file': a text file with lines "
                           "'source destination'");
       return make_permutation("permutation_file",
                               read_table(keys.get<std::string>("file"), topology->terminals()), keys);
     }}};

}  // namespace
}  // namespace noctule
