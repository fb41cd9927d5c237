#include "topology/hamiltonian_path.h"

namespace noctule {

const CubeGeometry& require_mesh(const Topology& topology, const std::string& key, const std::string& user) {
  const auto* cube = topology.geometry<CubeGeometry>();
  if (cube == nullptr)
    throw ConfigError(key, user +
                               " needs a mesh, that is a k-ary n-cube without wraps; the topology given is "
                               "no k-ary n-cube. Use topology.kind mesh");
  for (unsigned d = 0; d < cube->dimensions(); ++d)
    if (cube->wraps(d))
      throw ConfigError(key, user + " needs a mesh: dimension " + std::to_string(d) +
                                 " wraps; use topology.kind mesh, or give topology.wrap false");
  return *cube;
}

const std::vector<std::string>& HamiltonianPath::labellings() {
  static const std::vector<std::string> names{"rows", "columns"};
  return names;
}

Parameter HamiltonianPath::parameter() {
  return Parameter::choice(
      "labelling", "rows", labellings(),
      "the Hamiltonian path through the mesh: rows = along the rows, to and fro, dimension "
      "0 first; columns = along the columns, highest dimension first");
}

HamiltonianPath::HamiltonianPath(const Topology& topology, Labelling labelling, const std::string& key,
                                 const std::string& user) {
  const auto& mesh = require_mesh(topology, key, user);
  const unsigned n = mesh.dimensions();
  const bool rows = labelling == Labelling::kRows;
  fastest_ = rows ? 0 : n - 1;
  slowest_ = rows ? n - 1 : 0;
  label_.resize(mesh.size());
  router_.resize(mesh.size());
  for (std::uint32_t r = 0; r < mesh.size(); ++r) {
    // From the slowest dimension on: the label so far numbers the row that the path is in, and it goes back
    // through every other row.
    std::uint32_t label = 0;
    for (unsigned i = 0; i < n; ++i) {
      const unsigned d = rows ? n - 1 - i : i;
      const unsigned at = mesh.coordinate(RouterId{r}, d);
      label = label * mesh.radix(d) + (label % 2 == 0 ? at : mesh.radix(d) - 1 - at);
    }
    label_[r] = label;
    router_[label] = RouterId{r};
  }
}

}  // namespace noctule
