// Processors on switch frames, as in the IBM SP2: Symons and Narasimhan 1997, section 2.4 (its multistage
// network). A frame joins 16 processors; a few frames are linked with each other, more by way of an
// intermediate switch.

#include <fmt/format.h>

#include "topology/builder.h"

namespace noctule {
namespace {

constexpr std::int64_t kMostProcessors = 65536;
constexpr std::int64_t kMostOfFrame = 1024;

struct Frames {
  explicit Frames(const Parameters& keys)
      : processors(keys.get<std::uint32_t>("processors")),
        each(keys.get<std::uint32_t>("ports")),
        count((processors + each - 1) / each),
        switched(count > keys.get<std::uint32_t>("direct")) {}

  [[nodiscard]] RouterId frame(std::uint32_t f) const { return RouterId{processors + f}; }
  [[nodiscard]] RouterId middle() const { return RouterId{processors + count}; }
  [[nodiscard]] std::uint32_t routers() const { return processors + count + (switched ? 1U : 0U); }
  [[nodiscard]] std::string name_of(RouterId router) const {
    const auto r = static_cast<std::uint32_t>(router);
    if (r < processors) return fmt::format("processor_{}", r);
    return r < processors + count ? fmt::format("frame_{}", r - processors) : "middle";
  }
  [[nodiscard]] Position position_of(RouterId router) const {
    const auto r = static_cast<std::uint32_t>(router);
    if (r < processors) return {static_cast<double>(r), 0};
    if (r == processors + count) return {processors / 2.0, -4.0 - processors / 16.0};
    const std::uint32_t f = r - processors;
    return {f * static_cast<double>(each) + (each - 1) / 2.0, -2.0 - (switched ? 0 : f % 2)};
  }

  std::uint32_t processors;
  std::uint32_t each;     ///< processors of a frame
  std::uint32_t count;    ///< of frames
  bool switched = false;  ///< they are linked by way of the intermediate switch
};

void link_both_ways(TopologyBuilder& builder, RouterId low, PortId low_port, RouterId high, PortId high_port,
                    LinkKind up, LinkKind down) {
  builder.connect(low, low_port, high, high_port, up);
  builder.connect(high, high_port, low, low_port, down);
}

void fill_frames(const Parameters& keys, TopologyBuilder& builder) {
  const Frames shape(keys);
  if (shape.count > TopologyBuilder::kMostPorts - shape.each)
    throw ConfigError("topology.ports", fmt::format("{} frames are too many; at most {} are possible: raise "
                                                    "topology.ports, or reduce topology.processors",
                                                    shape.count, TopologyBuilder::kMostPorts - shape.each));
  builder.add_routers(shape.processors, {"frame"});
  std::vector<std::string> others;  // ports to other frames
  for (std::uint32_t f = 0; f < shape.count; ++f) others.push_back(fmt::format("frame_{}", f));
  std::vector<std::string> ports;
  for (std::uint32_t p = 0; p < shape.each; ++p) ports.push_back(fmt::format("processor_{}", p));
  if (shape.switched)
    ports.emplace_back("middle");
  else
    ports.insert(ports.end(), others.begin(), others.end());
  builder.add_routers(shape.count, ports);
  if (shape.switched) builder.add_routers(1, others);
  const auto port = [](std::uint32_t number) { return PortId(static_cast<std::uint16_t>(number)); };
  for (std::uint32_t p = 0; p < shape.processors; ++p) {
    link_both_ways(builder, RouterId{p}, PortId{0}, shape.frame(p / shape.each), port(p % shape.each),
                   LinkKind::kUp, LinkKind::kDown);
    builder.add_terminal(RouterId{p});
  }
  for (std::uint32_t f = 0; f < shape.count; ++f) {
    if (shape.switched)
      link_both_ways(builder, shape.frame(f), port(shape.each), shape.middle(), port(f), LinkKind::kUp,
                     LinkKind::kDown);
    else
      for (std::uint32_t g = f + 1; g < shape.count; ++g)
        link_both_ways(builder, shape.frame(f), port(shape.each + g), shape.frame(g), port(shape.each + f),
                       LinkKind::kPlain, LinkKind::kPlain);
  }
  builder.name_routers([shape](RouterId router) { return shape.name_of(router); });
  builder.place_routers([shape](RouterId router) { return shape.position_of(router); });
}

const Registration<TopologyRegistry> kFrames{
    {{"frames",
      "processors on switch frames, linked with each other or by an intermediate switch (IBM SP2; Symons and "
      "Narasimhan 1997)",
      {Parameter::integer("processors", 16, 2, kMostProcessors, "routers", "with a terminal each"),
       Parameter::integer("ports", 16, 1, kMostOfFrame, "processors", "of a frame"),
       Parameter::integer("direct", 5, 1, 64, "frames",
                          "up to so many frames are linked each with each, more to an intermediate switch")}},
     {fill_frames, [](const Parameters& keys) {
        const Frames shape(keys);
        const double frames = shape.count;
        return NetworkSize{static_cast<double>(shape.routers()),
                           2.0 * shape.processors + (shape.switched ? 2 * frames : frames * (frames - 1))};
      }}}};

}  // namespace
}  // namespace noctule
