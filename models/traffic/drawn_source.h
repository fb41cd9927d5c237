#pragma once
// Sources whose packets are drawn from the traffic of a configuration: its pattern, lengths and load.

#include <string>

#include "traffic/leaves_out.h"
#include "traffic/packet_draws.h"

namespace noctule {

/// Its packets are of the first message class; `left_out` names the others.
class DrawnSource : public TrafficSource, public LeavesOut {
 public:
  [[nodiscard]] bool listens() const final { return false; }
  [[nodiscard]] std::string left_out() const final { return left_out_; }

 protected:
  explicit DrawnSource(const SourceContext& context);

  PacketDraws draws_;

 private:
  std::string left_out_;
};

}  // namespace noctule
