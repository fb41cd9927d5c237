#pragma once
// Terminals with several attachments to one network, and the message classes that each is for.

#include <string>
#include <utility>
#include <vector>

#include "topology/geometry.h"

namespace noctule {

/// What the attachments of terminals (Topology::attachments) are for.
class NamedAttachments : public Geometry {
 public:
  static constexpr const char* kWhat = "network whose terminals have attachments for message classes";
  static constexpr const char* kRemedy = "topology.kind graph, with attachments of terminals in its file";

  /// `classes`: by number of the attachment, the names of the message classes whose packets enter and leave
  /// by it.
  explicit NamedAttachments(std::vector<std::vector<std::string>> classes) : classes_(std::move(classes)) {}
  [[nodiscard]] const std::vector<std::vector<std::string>>& classes() const { return classes_; }

 private:
  std::vector<std::vector<std::string>> classes_;
};

}  // namespace noctule
