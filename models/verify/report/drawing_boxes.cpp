#include "verify/report/drawing_boxes.h"

#include <fmt/format.h>

#include <algorithm>

#include "verify/report/drawing_style.h"
#include "verify/report/svg.h"

namespace noctule {
namespace {

constexpr double kHeight = 13;
constexpr double kApart = 3;
constexpr double kFromRouter = 5;
constexpr double kRouterName = 20;  ///< height of the name of the router to the lower left
constexpr std::size_t kPerRow = 2;

}  // namespace

ConsumptionBoxes::ConsumptionBoxes(const ChannelIndex& channels, const std::vector<DrawnWorm>& worms)
    : channels_(channels) {
  for (std::size_t w = 0; w < worms.size(); ++w)
    for (const auto& hop : worms[w].holds)
      if (channels.is_consumption(hop.channel))
        boxes_[channels.router(hop.channel)].push_back({hop.channel, w});
  for (const auto& worm : worms)
    for (const ChannelId c : worm.waits) {
      if (!channels.is_consumption(c)) continue;
      auto& list = boxes_[channels.router(c)];
      if (std::none_of(list.begin(), list.end(), [&](const Box& box) { return box.channel == c; }))
        list.push_back({c, std::nullopt});
    }
  for (auto& [router, list] : boxes_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

double ConsumptionBoxes::width() const {
  return channels_.by_message_class() ? 28 : 20;
}

double ConsumptionBoxes::room() const {
  std::size_t most = 0;
  for (const auto& [router, list] : boxes_) most = std::max(most, list.size());
  if (most == 0) return 0;
  const std::size_t rows = (most + kPerRow - 1) / kPerRow;
  return kFromRouter + static_cast<double>(rows) * (kHeight + kApart) + kRouterName;
}

Point ConsumptionBoxes::corner_of(const DrawingLayout& layout, RouterId router, std::size_t n) const {
  const std::size_t column = n % kPerRow;
  const std::size_t row = n / kPerRow;
  return layout.centres().at(router) +
         Point{-layout.half() - kFromRouter - static_cast<double>(column) * (width() + kApart),
               layout.half() + kFromRouter + static_cast<double>(row) * (kHeight + kApart)};
}

Point ConsumptionBoxes::corner(const DrawingLayout& layout, ChannelId channel) const {
  const RouterId router = channels_.router(channel);
  const auto& list = boxes_.at(router);
  const auto box = std::find_if(list.begin(), list.end(), [&](const Box& b) { return b.channel == channel; });
  return corner_of(layout, router, static_cast<std::size_t>(box - list.begin()));
}

Point ConsumptionBoxes::corner(const DrawingLayout& layout, ChannelId channel, std::size_t holder) const {
  const RouterId router = channels_.router(channel);
  const auto& list = boxes_.at(router);
  const auto box = std::find(list.begin(), list.end(), Box{channel, holder});
  return corner_of(layout, router, static_cast<std::size_t>(box - list.begin()));
}

std::string ConsumptionBoxes::svg(const DrawingLayout& layout) const {
  std::string text;
  for (const auto& [router, list] : boxes_)
    for (std::size_t n = 0; n < list.size(); ++n) {
      const Point corner = corner_of(layout, router, n);
      const auto holder = list[n].holder;
      text += fmt::format(
          "<rect class=\"consumption\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\" fill=\"{}\" "
          "stroke=\"#555\"/>\n<text x=\"{}\" y=\"{}\" font-size=\"9\" text-anchor=\"middle\" "
          "fill=\"{}\">{}</text>\n",
          svg::number(corner.x - width()), svg::number(corner.y), svg::number(width()), svg::number(kHeight),
          holder ? style::paint(*holder) : "#fff", svg::number(corner.x - width() / 2),
          svg::number(corner.y + kHeight - 3.5), holder ? style::ink(*holder) : "#222",
          svg::escaped(short_consumption_name(channels_, list[n].channel)));
    }
  return text;
}

}  // namespace noctule
