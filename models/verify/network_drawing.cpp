#include "verify/network_drawing.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "core/error.h"
#include "verify/drawing_layout.h"
#include "verify/svg.h"

namespace noctule {
namespace {

constexpr double kHalf = 14;  ///< of a router
constexpr double kPageMargin = 24;
constexpr double kAbove = 52;  ///< of the title and the line below it
constexpr double kLetterWidth = 8;
constexpr double kSmallLetterWidth = 6.6;

/// "3", "3-5", "3, 9": terminals of a router.
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
    const std::string title = describe(topology_);
    std::string notes = fmt::format("{} routers, {} terminals, {} links, each one way. Numbers: terminals.",
                                    topology_.routers(), topology_.terminals(), topology_.links().size());
    if (const auto axes = layout_.axes(); !axes.empty()) notes += " " + axes;
    if (slow_ > 0) notes += fmt::format(" Bold: {} links that differ from the others.", slow_);
    const double width =
        2 * kPageMargin + std::max({layout_.width(), kLetterWidth * 1.4 * static_cast<double>(title.size()),
                                    kSmallLetterWidth * static_cast<double>(notes.size())});
    const double height = 2 * kPageMargin + kAbove + layout_.height();
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n<title>{2}</title>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n<g transform=\"translate({3} {3})\">\n"
        "<text x=\"0\" y=\"16\" font-size=\"17\" font-weight=\"bold\">{2}</text>\n"
        "<text x=\"0\" y=\"38\" font-size=\"12\" fill=\"#555\">{4}</text>\n"
        "<g transform=\"translate(0 {5})\">\n{6}</g>\n</g>\n</svg>\n",
        svg::number(std::ceil(width)), svg::number(std::ceil(height)), svg::escaped(title),
        svg::number(kPageMargin), svg::escaped(notes), svg::number(kAbove), body_);
  }

 private:
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
      if (!returns(link)) body_ += svg::arrow_head(end, road.direction, 8, differs ? "#d55e00" : "#999");
    }
  }
  [[nodiscard]] bool returns(const Link& link) const {
    for (std::size_t p = 0; p < topology_.ports(link.to); ++p)
      if (const Link* back = topology_.outgoing(link.to, PortId(p)); back != nullptr && back->to == link.from)
        return true;
    return false;
  }
  void routers() {
    for (const auto& [router, at] : layout_.centres()) {
      const bool usual = plan_.nodes[router] == plan_.common_node();
      body_ += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{}\" stroke=\"#666\"/>\n",
          svg::number(at.x - kHalf), svg::number(at.y - kHalf), svg::number(2 * kHalf),
          svg::number(2 * kHalf), usual ? "#f4f4f4" : "#cfe8f7");
      const auto& injecting = plan_.injecting[index(router)];
      const auto& here = injecting.empty() ? plan_.consuming[index(router)] : injecting;
      if (const auto text = numbers_of(here); !text.empty())
        body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"middle\">{}</text>\n",
                             svg::number(at.x), svg::number(at.y + 4), text.size() > 3 ? 7 : 10, text);
    }
    for (const auto& caption : layout_.captions())
      body_ += fmt::format(
          "<text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"{}\" fill=\"#555\">{}</text>\n",
          svg::number(caption.at.x), svg::number(caption.at.y), caption.anchor, svg::escaped(caption.text));
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
