#include "verify/report/network_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "verify/report/drawing_layout.h"
#include "verify/report/svg.h"

namespace noctule {
namespace {

constexpr double kHalf = 14;  ///< of a router
constexpr double kLine = 8;   ///< from one line of its text to the next
/// "3", "3,9", "3-5", "3 ...": terminals of a router.
std::string numbers_of(const std::vector<TerminalId>& terminals) {
  if (terminals.empty()) return "";
  const bool run = index(terminals.back()) - index(terminals.front()) + 1 == terminals.size();
  if (terminals.size() > 2 && !run) return fmt::format("{} ...", index(terminals.front()));
  if (terminals.size() == 1) return fmt::format("{}", index(terminals.front()));
  return fmt::format("{}{}{}", index(terminals.front()), run && terminals.size() > 2 ? "-" : ",",
                     index(terminals.back()));
}

class NetworkPicture {
 public:
  explicit NetworkPicture(const FabricPlan& plan)
      : plan_(plan), topology_(*plan.topology), layout_(topology_, kHalf) {}

  std::string svg() {
    links();
    routers();
    const std::string title = topology_.title();
    std::string notes = fmt::format("{} routers, {} terminals, {} links, each one way. Numbers: terminals.",
                                    topology_.routers(), topology_.terminals(), topology_.links().size());
    if (const auto axes = layout_.axes(); !axes.empty()) notes += " " + axes;
    if (slow_ > 0) notes += fmt::format(" Bold: {} links that differ from the others.", slow_);
    const double width = std::max({layout_.width(), svg::kTitleLetter * static_cast<double>(title.size()),
                                   svg::kNoteLetter * static_cast<double>(notes.size())});
    return svg::page(width, svg::below_notes(1) + layout_.height(), title, {notes}, body_);
  }

 private:
  /// The terminals there; where they have several attachments to this network, a line for each interface:
  /// "3 response".
  [[nodiscard]] std::vector<std::string> lines_of(RouterId router) const {
    const auto& injecting = plan_.injecting[index(router)];
    const auto& consuming = plan_.consuming[index(router)];
    const bool apart = topology_.attachments() > 1 && plan_.planes.empty();
    std::vector<TerminalEnd> ends = injecting.empty() ? consuming : injecting;
    for (const TerminalEnd& end : consuming)
      if (apart && std::ranges::find(ends, end) == ends.end()) ends.push_back(end);
    std::vector<std::string> lines;
    for (unsigned i = 0; i < (apart ? plan_.message_classes.interfaces() : 1); ++i) {
      std::vector<TerminalId> terminals;
      for (const TerminalEnd& end : ends)
        if (apart ? end.interface == i : terminals.empty() || terminals.back() != end.terminal)
          terminals.push_back(end.terminal);
      if (terminals.empty()) continue;
      std::ranges::sort(terminals);
      lines.push_back(numbers_of(terminals));
      if (apart) lines.back() += " " + plan_.message_classes.interface_name(i);
    }
    return lines;
  }
  void line(Point a, Point b, bool apart, bool cut) {
    body_ +=
        fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n",
                    svg::number(a.x), svg::number(a.y), svg::number(b.x), svg::number(b.y),
                    apart ? "#d55e00" : "#999", apart ? 3 : 1.2, cut ? " stroke-dasharray=\"2 3\"" : "");
  }
  /// Those both ways are one line; an arrow where there is no way back.
  void links() {
    for (const auto& [a, b, cut] : layout_.lines()) line(a, b, false, cut);
    for (const Link& link : topology_.links()) {
      const auto road = layout_.road(link);
      const bool differs = plan_.links[link.id] != plan_.links.kinds().front();
      slow_ += differs ? 1 : 0;
      const Point start = road.from + road.direction * road.reach;
      const Point end =
          road.whole ? road.to - road.direction * road.reach : start + road.direction * road.length;
      if (differs) line(start, end, true, false);
      if (topology_.link_between(link.to, link.from) == nullptr)
        body_ += svg::arrow_head(end, road.direction, 8, differs ? "#d55e00" : "#999");
    }
  }
  void routers() {
    for (const auto& [router, at] : layout_.centres()) {
      const bool usual = plan_.nodes[router] == plan_.common_node();
      body_ += svg::box(at, kHalf, usual ? "#f4f4f4" : "#cfe8f7", "#666");
      const auto lines = lines_of(router);
      double y = at.y + 4 - kLine * 0.5 * (static_cast<double>(lines.size()) - 1);
      for (const std::string& text : lines) {
        body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"middle\">{}</text>\n",
                             svg::number(at.x), svg::number(y), text.size() > 3 ? 7 : 10, text);
        y += kLine;
      }
    }
    for (const auto& caption : layout_.captions()) body_ += svg::caption(caption);
  }

  const FabricPlan& plan_;
  const Topology& topology_;
  DrawingLayout layout_;
  std::string body_;
  std::size_t slow_ = 0;
};

}  // namespace

std::string draw_network(const FabricPlan& plan) {
  if (plan.topology->routers() > kMostDrawnRouters)
    throw ConfigError(
        "topology.kind",
        fmt::format("the network has {} routers; pictures are drawn of up to {}: draw a smaller "
                    "one of the kind",
                    plan.topology->routers(), kMostDrawnRouters));
  return NetworkPicture(plan).svg();
}

}  // namespace noctule
