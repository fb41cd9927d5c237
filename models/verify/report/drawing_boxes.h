#pragma once
// The consumption channels of a deadlock in a picture of it.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verify/report/drawing_layout.h"
#include "verify/report/drawn_worm.h"

namespace noctule {

/// Consumption channels and retransmission buffers that worms hold or wait for: small boxes at the lower left
/// of their router, one for each holder.
class ConsumptionBoxes {
 public:
  /// What the boxes are, for the reader of the picture.
  static constexpr const char* kNote =
      "Small boxes: consumption channels (c; cs: shared), injection channels (i), retransmission buffers"
      " (r); filled: held by that colour.";

  ConsumptionBoxes(const ChannelIndex& channels, const std::vector<DrawnWorm>& worms);

  [[nodiscard]] bool empty() const { return boxes_.empty(); }
  /// Pixels that the boxes need between the edges of two routers.
  [[nodiscard]] double room() const;
  /// Upper right corner of the channel's first box: where a line to it ends.
  [[nodiscard]] Point corner(const DrawingLayout& layout, ChannelId channel) const;
  /// Upper right corner of the box of a channel that this worm holds.
  [[nodiscard]] Point corner(const DrawingLayout& layout, ChannelId channel, std::size_t holder) const;
  [[nodiscard]] std::string svg(const DrawingLayout& layout) const;

 private:
  [[nodiscard]] double width() const;
  struct Box {
    ChannelId channel;
    std::optional<std::size_t> holder;
    friend auto operator<=>(const Box&,
                            const Box&) = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14
  };
  [[nodiscard]] Point corner_of(const DrawingLayout& layout, RouterId router, std::size_t n) const;

  const ChannelIndex& channels_;
  std::map<RouterId, std::vector<Box>> boxes_;
};

}  // namespace noctule
