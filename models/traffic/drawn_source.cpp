#include "traffic/drawn_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace noctule {
namespace {

std::string left_out_of(const std::vector<SourceContext::MessageEnd>& classes) {
  std::vector<std::string> others;
  for (std::size_t c = 1; c < classes.size(); ++c) others.push_back(classes[c].name);
  if (others.empty()) return "";
  return fmt::format(
      "traffic.source: all packets are of class '{}', the first of message_classes, and none of '{}'; let "
      "request_reply, flows, workload or trace_file send packets of several classes",
      classes.front().name, fmt::join(others, "', '"));
}

}  // namespace

DrawnSource::DrawnSource(const SourceContext& context)
    : draws_(context), left_out_(left_out_of(context.classes)) {}

}  // namespace noctule
