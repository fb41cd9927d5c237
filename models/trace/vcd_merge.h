#pragma once
// Several value change dumps in one file, each under a scope of its own.

#include <string>
#include <vector>

namespace noctule {

struct VcdPart {
  std::string scope;  ///< dotted; the file's own scopes come below it
  std::string file;
};

/// Times are taken as they are: all files count in the same unit, which is that of the first. Files that do
/// not exist are left out. Throws ConfigError if one cannot be read, or the result not be written.
void merge_vcds(const std::string& out, const std::vector<VcdPart>& parts);
/// The same, and the parts are no more.
void join_vcds(const std::string& out, const std::vector<VcdPart>& parts);

}  // namespace noctule
