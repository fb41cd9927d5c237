#include "verify/report/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <tuple>

#include "core/error.h"
#include "verify/report/drawing_boxes.h"
#include "verify/report/drawing_layout.h"
#include "verify/report/drawing_style.h"
#include "verify/report/drawn_worm.h"
#include "verify/report/svg.h"

namespace noctule {
namespace {

constexpr double kFirstOffset = 7;  ///< of a worm from the middle of its link
constexpr double kOffsetStep = 9;
constexpr double kDot = 6;
constexpr double kLegendLine = 20;
constexpr std::size_t kLegendLetters = 130;

/// Side by side on one link: what is held, by class and lane, then what is waited for, by worm.
struct Track {
  bool wait;
  std::uint16_t vc_class;
  std::uint16_t lane;
  std::size_t worm;
  friend auto operator<=>(const Track&,
                          const Track&) = default;  // NOLINT(modernize-use-nullptr): the 0 is the language's
};

class Picture {
 public:
  explicit Picture(const Certificate& certificate)
      : certificate_(certificate),
        channels_(*certificate.channels),
        topology_(*certificate.plan->topology),
        worms_(drawn_worms(certificate)),
        boxes_(channels_, worms_) {
    for (std::size_t w = 0; w < worms_.size(); ++w) {
      routers_.push_back(worms_[w].source);
      for (const auto& hop : worms_[w].holds)
        if (!at_terminal(hop.channel)) lay(hop.channel, held(w, hop));
      for (const ChannelId c : worms_[w].waits)
        if (!at_terminal(c)) lay(c, waited(w));
    }
    std::size_t most = 1;
    for (auto& [link, tracks] : tracks_) {
      std::sort(tracks.begin(), tracks.end());
      tracks.erase(std::unique(tracks.begin(), tracks.end()), tracks.end());
      most = std::max(most, tracks.size());
    }
    layout_.emplace(topology_, touched_, routers_,
                    kFirstOffset + kOffsetStep * static_cast<double>(most - 1) + 9, boxes_.room());
  }

  std::string svg() {
    background();
    // Thin before bold, lines before what marks their ends.
    for (const bool bold : {false, true})
      for (std::size_t w = 0; w < worms_.size(); ++w) draw_waits(w, bold);
    for (std::size_t w = 0; w < worms_.size(); ++w) draw_body(w);
    draw_boxes();
    for (std::size_t w = 0; w < worms_.size(); ++w) draw_ends(w);
    const double below = top_ + layout_->height() + 8;
    std::string legend;
    double width = std::max(layout_->width(), text_width_);
    const double bottom = write_legend(below, legend, width);
    return svg::page(width, bottom, title_, notes_, body_, legend);
  }

 private:
  Track held(std::size_t worm, const WitnessWorm::Hop& hop) const {
    return {false, static_cast<std::uint16_t>(index(channels_.vc_class(hop.channel))),
            channels_.groups() > 1 ? static_cast<std::uint16_t>(channels_.group(hop.channel)) : hop.lane,
            worm};
  }
  static Track waited(std::size_t worm) { return {true, 0, 0, worm}; }

  const Link& link(ChannelId c) const { return topology_.links()[index(channels_.link(c))]; }

  /// If so, its router must be in the picture.
  bool at_terminal(ChannelId c) {
    if (channels_.is_consumption(c)) routers_.push_back(channels_.router(c));
    return channels_.is_consumption(c);
  }
  void lay(ChannelId c, const Track& track) {
    touched_.push_back(channels_.link(c));
    tracks_[DrawingLayout::lane_of_road(topology_, link(c))].push_back(track);
  }
  std::size_t rank(ChannelId c, const Track& track) const {
    const auto& tracks = tracks_.at(DrawingLayout::lane_of_road(topology_, link(c)));
    return static_cast<std::size_t>(std::lower_bound(tracks.begin(), tracks.end(), track) - tracks.begin());
  }

  /// A channel as a worm runs along it.
  struct Run {
    DrawingLayout::Road road;
    Point aside;  ///< from the middle of the link
    double offset = 0;
    std::size_t rank = 0;
    [[nodiscard]] Point exit() const { return road.from + road.direction * road.reach + aside; }
    [[nodiscard]] Point entry() const { return road.to - road.direction * road.reach + aside; }
    [[nodiscard]] Point along() const { return road.direction; }
  };
  Run run(ChannelId c, const Track& track) const {
    Run r{layout_->road(link(c)), {}, 0, rank(c, track)};
    r.offset = kFirstOffset + kOffsetStep * static_cast<double>(r.rank);
    r.aside = right_of(r.road.direction) * r.offset;
    return r;
  }
  std::vector<Run> runs(std::size_t w) const {
    std::vector<Run> list;
    for (const auto& hop : worms_[w].holds)
      if (!channels_.is_consumption(hop.channel)) list.push_back(run(hop.channel, held(w, hop)));
    return list;
  }

  /// Points between the edge where a run enters a router and the edge where the next one leaves it.
  void bend(const Run& in, const Run& out, std::vector<Point>& line) const {
    if (dot(in.along(), out.along()) > 1 - 1e-6) {
      // Changes tracks at once, clear of what begins in the middle of the router.
      const double step = std::abs(out.offset - in.offset);
      if (step > 0) line.push_back(in.entry() + in.along() * (step + 4) + out.aside - in.aside);
      return;
    }
    const double turn = dot(right_of(in.along()), out.along());
    if (std::abs(turn) < 1e-6) {
      line.push_back(in.road.to + in.aside);
      line.push_back(out.road.from + out.aside);
      return;
    }
    // Where the two tracks cross, if that is inside the router.
    const double ahead = dot(out.aside - in.aside, right_of(out.along())) / -turn;
    const Point corner = in.aside + in.along() * ahead;
    if (std::max(std::abs(corner.x), std::abs(corner.y)) < layout_->half())
      line.push_back(in.road.to + corner);
  }
  /// At the edge, beyond all that turns in the router; neighbours do not touch.
  static Point tail(const Run& first) {
    return first.exit() + first.along() * (first.rank % 2 == 0 ? 0 : 2 * kDot + 1);
  }
  static Point tip(const Run& last) { return last.entry() + last.along() * 4; }

  void draw_body(std::size_t w) {
    const auto list = runs(w);
    if (list.empty()) return;
    std::vector<Point> line{tail(list.front())};
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Run& r = list[i];
      if (i > 0) {
        if (list[i - 1].road.to == r.road.from) {
          line.push_back(r.exit());
        } else {  // what lies in between is not known
          draw_line(w, line);
          line.assign(1, r.exit());
        }
      }
      if (!r.road.whole) {
        line.push_back(r.exit() + r.along() * r.road.length);
        draw_line(w, line);
        line.assign(1, r.entry() - r.along() * r.road.length);
      }
      line.push_back(r.entry());
      if (i + 1 < list.size() && r.road.to == list[i + 1].road.from) bend(r, list[i + 1], line);
    }
    line.back() = line.back() - list.back().along() * 5;  // the arrow head's base
    draw_line(w, line);
  }

  void draw_line(std::size_t w, const std::vector<Point>& line) {
    const char* dash = style::dash(w);
    body_ +=
        svg::polyline(line, fmt::format("class=\"worm\" stroke=\"{}\" stroke-width=\"4\"{}", style::paint(w),
                                        *dash != '\0' ? fmt::format(" stroke-dasharray=\"{}\"", dash) : ""));
  }

  void draw_waits(std::size_t w, bool bold) {
    const DrawnWorm& worm = worms_[w];
    const auto list = runs(w);
    std::vector<LinkId> done;
    for (const ChannelId c : worm.waits) {
      if (makes_dependency(certificate_, worm, c) != bold) continue;
      if (channels_.is_consumption(c)) {
        draw_wait_for_box(w, c, list, bold);
        continue;
      }
      const LinkId lane = DrawingLayout::lane_of_road(topology_, link(c));
      const bool also_bold = std::any_of(worm.waits.begin(), worm.waits.end(), [&](ChannelId other) {
        return !channels_.is_consumption(other) && makes_dependency(certificate_, worm, other) &&
               DrawingLayout::lane_of_road(topology_, link(other)) == lane;
      });
      if (std::count(done.begin(), done.end(), lane) > 0 || (!bold && also_bold)) continue;
      done.push_back(lane);
      const Run out = run(c, waited(w));
      std::vector<Point> line;
      if (list.empty()) {
        line.push_back(tail(out));
      } else {
        line.push_back(tip(list.back()));
        bend(list.back(), out, line);
      }
      const Point end = out.exit() + out.along() * (out.road.length * (out.road.whole ? 0.62 : 0.95));
      line.push_back(end - out.along() * 4);
      draw_wait(w, line, out.along(), bold);
    }
  }

  void draw_boxes() {
    for (std::size_t w = 0; w < worms_.size(); ++w)
      for (const auto& hop : worms_[w].holds)
        if (channels_.is_consumption(hop.channel))
          draw_branch(w, channels_.router(hop.channel), boxes_.corner(*layout_, hop.channel, w));
    body_ += boxes_.svg(*layout_);
  }
  /// From where a worm comes into a router to the box that it holds there.
  void draw_branch(std::size_t w, RouterId router, Point box) {
    Point from = layout_->centres().at(router);
    for (const Run& r : runs(w))
      if (r.road.to == layout_->centres().at(router)) from = tip(r);
    body_ += svg::polyline({from, box},
                           fmt::format("class=\"branch\" stroke=\"{}\" stroke-width=\"2\"", style::paint(w)));
  }
  void draw_wait_for_box(std::size_t w, ChannelId c, const std::vector<Run>& list, bool bold) {
    const RouterId router = channels_.router(c);
    const Point end = boxes_.corner(*layout_, c);
    const Point from = list.empty() ? layout_->centres().at(router) : tip(list.back());
    const Point way = end - from;
    const Point along = way * (1 / std::max(1.0, std::hypot(way.x, way.y)));
    draw_wait(w, {from, end - along * 4}, along, bold);
  }
  void draw_wait(std::size_t w, const std::vector<Point>& line, Point along, bool bold) {
    body_ += svg::polyline(line, fmt::format("class=\"wait\" stroke=\"{}\" stroke-width=\"{}\" "
                                             "stroke-dasharray=\"{}\"",
                                             style::paint(w), bold ? "2.4" : "1.1", bold ? "6 4" : "3 3"));
    body_ += svg::arrow_head(line.back() + along * 4, along, bold ? 9 : 6, style::paint(w));
  }

  void draw_ends(std::size_t w) {
    const auto list = runs(w);
    Point at = layout_->centres().at(worms_[w].source);
    if (!list.empty()) {
      body_ += svg::arrow_head(tip(list.back()), list.back().along(), 12, style::paint(w));
      at = tail(list.front());
    } else if (!worms_[w].waits.empty() && !channels_.is_consumption(worms_[w].waits.front())) {
      at = tail(run(worms_[w].waits.front(), waited(w)));
    }
    body_ += badge(w, at);
  }

  std::string badge(std::size_t w, Point at) const {
    return fmt::format(
        "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"#fff\" stroke-width=\"1\"/>\n"
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" font-weight=\"bold\" text-anchor=\"middle\" "
        "fill=\"{}\">{}</text>\n",
        svg::number(at.x), svg::number(at.y), svg::number(kDot), style::paint(w), svg::number(at.x),
        svg::number(at.y + 3), w < 9 ? 9 : 7, style::ink(w), w + 1);
  }

  void background() {
    for (const auto& [a, b, cut] : layout_->lines())
      body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#bbb\"{}/>\n",
                           svg::number(a.x), svg::number(a.y), svg::number(b.x), svg::number(b.y),
                           cut ? " stroke-dasharray=\"2 3\"" : "");
    for (const auto& [router, at] : layout_->centres())
      body_ += svg::box(at, layout_->half(), "#f4f4f4", "#888");
    for (const auto& caption : layout_->captions()) body_ += svg::caption(caption);
    explain();
  }

  void explain() {
    title_ = fmt::format("{}: {}, node model {}", to_string(certificate_.verdict), topology_.title(),
                         certificate_.plan->common_node().model);
    for (std::size_t i = 0; title_[i] != ':'; ++i)
      if (title_[i] == '_') title_[i] = ' ';
    title_.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title_.front())));
    const auto& witness = certificate_.witness;
    notes_.push_back(
        witness.worms.empty()
            ? "Dependencies that form a cycle, each with a worm that makes it. Thick: channels held, "
              "from source to header."
            : "Worms that block each other. Thick: channels held, from source to header.");
    notes_.emplace_back("Dashed: where the header waits to go; bold: dependencies of the shortest cycle.");
    if (witness.committed)
      notes_.emplace_back(
          "Each header is committed to the virtual channel it waits for; another worm is in it.");
    if (!boxes_.empty()) notes_.emplace_back(ConsumptionBoxes::kNote);
    if (!layout_->axes().empty()) notes_.push_back(layout_->axes());
    if (!layout_->note().empty()) notes_.push_back(layout_->note());
    for (const auto& note : notes_)
      text_width_ = std::max(text_width_, svg::kNoteLetter * static_cast<double>(note.size()));
    text_width_ = std::max(text_width_, svg::kTitleLetter * static_cast<double>(title_.size()));
    top_ = svg::below_notes(notes_.size());
  }

  /// Returns where it ends; widens the picture as it needs.
  double write_legend(double y, std::string& out, double& width) const {
    for (std::size_t w = 0; w < worms_.size(); ++w) {
      const char* dash = style::dash(w);
      out += fmt::format(
          "<line x1=\"0\" y1=\"{0}\" x2=\"36\" y2=\"{0}\" stroke=\"{1}\" stroke-width=\"4\"{2}/>\n",
          svg::number(y - 4), style::paint(w),
          *dash != '\0' ? fmt::format(" stroke-dasharray=\"{}\"", dash) : "");
      std::string rest = fmt::format("{}  {}", w + 1, describe_worm(certificate_, worms_[w]));
      for (bool first = true; !rest.empty(); first = false) {
        std::size_t cut = rest.size();
        if (cut > kLegendLetters) cut = std::min(rest.rfind(' ', kLegendLetters), cut);
        const double x = first ? 46 : 66;
        out += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"12\"{}>{}</text>\n", x, svg::number(y),
                           first ? " class=\"legend\" xml:space=\"preserve\"" : "",
                           svg::escaped(rest.substr(0, cut)));
        width = std::max(width, x + svg::kNoteLetter * static_cast<double>(cut));
        rest.erase(0, cut < rest.size() ? cut + 1 : cut);
        y += kLegendLine;
      }
    }
    return y - kLegendLine + 6;
  }

  const Certificate& certificate_;
  const ChannelIndex& channels_;
  const Topology& topology_;
  std::vector<DrawnWorm> worms_;
  ConsumptionBoxes boxes_;
  std::vector<RouterId> routers_;
  std::vector<LinkId> touched_;
  std::map<LinkId, std::vector<Track>> tracks_;
  std::optional<DrawingLayout> layout_;
  std::string title_;
  std::vector<std::string> notes_;
  double text_width_ = 0;
  double top_ = 0;
  std::string body_;
};

}  // namespace

std::string draw_witness(const Certificate& certificate) {
  if (certificate.witness.worms.empty() && certificate.witness.cycle.empty())
    throw InternalError("a picture was asked for of a deadlock without a witness");
  return Picture(certificate).svg();
}

}  // namespace noctule
