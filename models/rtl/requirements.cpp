#include "rtl/requirements.h"

#include <fmt/format.h>

#include <string_view>

namespace noctule {

void Requirements::of(RouterId router) {
  router_ = router;
  link_ = nullptr;
}

void Requirements::of(const Link& link, RouterId router) {
  router_ = router;
  link_ = &link;
}

Diagnostic Requirements::named(const char* key, const char* remedy) const {
  const Topology& topology = *plan_.topology;
  if (link_ != nullptr && !plan_.links.alike())
    return {"links",
            fmt::format("{} at {}, which is RTL, {}: {}", topology.link_name(*link_),
                        topology.router_name(router_), key, remedy),
            {}};
  if (plan_.nodes.alike()) return {key, remedy, {}};
  const bool of_node = std::string_view(key).starts_with("node.");
  return {of_node ? "nodes" : key,
          fmt::format("{}, which is RTL{}{}: {}", topology.router_name(router_), of_node ? ", " : "",
                      of_node ? key : "", remedy),
          {}};
}

}  // namespace noctule
