#pragma once
// Points whose message classes can starve, for a warning.

#include <string>
#include <utility>
#include <vector>

#include "config/decode.h"
#include "nodes/message_class.h"

namespace noctule {

class StarvationWarnings {
 public:
  void look_at(const PointConfig& point, const MessageClasses& classes);
  /// Says on standard error what can starve, each thing once, with the first point of which it holds.
  void print() const;

 private:
  std::vector<std::pair<std::string, std::string>> all_;  ///< what, and the label of the point
};

}  // namespace noctule
