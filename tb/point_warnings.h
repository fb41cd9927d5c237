#pragma once
// What is worth a warning before points run: message classes that can starve,
// virtual channels of no class, what a source leaves out.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config/decode.h"
#include "run/point.h"

namespace noctule {

class PointWarnings {
 public:
  void look_at(const PointConfig& point, const PointSpec& spec);
  /// Says it on standard error, each thing once, with the first point of which it holds.
  void print() const;

 private:
  void add(const std::string& label, std::string text);

  std::set<std::string> planned_;  ///< keys of fabrics whose channels have been looked at
  std::vector<std::pair<std::string, std::string>> all_;  ///< what, and the label of the point
};

}  // namespace noctule
