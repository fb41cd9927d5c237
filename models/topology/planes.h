#pragma once
// Networks side by side that share their terminals and nothing else: one for requests and one for responses,
// or two opposed one-way tori. Together they are one topology, in which each terminal has an attachment to
// each of them.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "topology/geometry.h"
#include "topology/topology.h"

namespace noctule {

inline constexpr std::size_t kMostPlanes = 16;

/// The planes of a topology that join_planes made. Attachment k of every terminal is to plane k.
class Planes : public Geometry {
 public:
  static constexpr const char* kWhat = "network of several planes";
  static constexpr const char* kRemedy = "planes";

  /// A network of its own, with its terminals. Its routers and links have the numbers of the whole from
  /// `first_router` and `first_link` on.
  struct Plane {
    std::string name;
    std::shared_ptr<const Topology> network;
    std::uint32_t first_router = 0;
    std::uint32_t first_link = 0;
  };

  explicit Planes(std::vector<Plane> planes) : planes_(std::move(planes)) {}
  [[nodiscard]] std::size_t size() const { return planes_.size(); }
  [[nodiscard]] const Plane& operator[](std::size_t number) const { return planes_[number]; }
  [[nodiscard]] auto begin() const { return planes_.begin(); }
  [[nodiscard]] auto end() const { return planes_.end(); }

  /// Number of the plane that a router of the whole is in.
  [[nodiscard]] std::size_t number_of(RouterId router) const {
    std::size_t k = planes_.size() - 1;
    while (index(router) < planes_[k].first_router) --k;
    return k;
  }
  [[nodiscard]] const Plane& of(RouterId router) const { return planes_[number_of(router)]; }

 private:
  std::vector<Plane> planes_;
};

/// The whole. Routers are called PLANE_NAME, by the name that they have inside their plane; terminal t is
/// terminal t of each plane; pictures show the planes beside each other. Throws ConfigError "planes": fewer
/// than two or too many, a name that is none or given twice, planes whose numbers of terminals differ, or one
/// whose terminals have several attachments.
[[nodiscard]] Topology join_planes(
    const std::vector<std::pair<std::string, std::shared_ptr<const Topology>>>& networks);

/// What random streams of a router are keyed by: its name, and the number of its plane but in the first one.
/// So the first plane draws what it would draw alone.
[[nodiscard]] std::string stream_name(const Topology& topology, RouterId router);

}  // namespace noctule
