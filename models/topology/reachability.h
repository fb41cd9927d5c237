#pragma once
// Who can send to whom over the links of a network that may be incomplete.

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "topology/topology.h"

namespace noctule {

/// Directed links between routers, to be asked who reaches whom.
class Reachability {
 public:
  explicit Reachability(std::size_t routers) : ahead_(routers), back_(routers) {}
  void add(RouterId from, RouterId to) {
    ahead_[index(from)].push_back(to);
    back_[index(to)].push_back(from);
  }
  /// One of the links between them.
  void remove(RouterId from, RouterId to);
  [[nodiscard]] bool leads(RouterId from, RouterId to) const { return reached(ahead_, from)[index(to)]; }
  /// By router: who reaches this one.
  [[nodiscard]] std::vector<bool> leading_to(RouterId router) const { return reached(back_, router); }
  [[nodiscard]] bool leads_out(RouterId router) const { return !ahead_[index(router)].empty(); }

  /// The first two terminals, by number, of which one cannot send to the other. Where every router reaches
  /// every other one, in time of the number of links.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> cut_off(
      std::span<const Attachment> terminals) const;

 private:
  using Neighbours = std::vector<std::vector<RouterId>>;
  [[nodiscard]] static std::vector<bool> reached(const Neighbours& next, RouterId from);

  Neighbours ahead_;  ///< by router
  Neighbours back_;
};

}  // namespace noctule
