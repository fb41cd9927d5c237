#pragma once
// A topology with several terminals per router.

#include <memory>
#include <string>

#include "topology/topology.h"

namespace noctule::fabric_test {

/// Test only: a row of routers with two terminals each, 2r and 2r + 1.
class TwoPerRouter final : public Topology {
 public:
  explicit TwoPerRouter(std::shared_ptr<const KAryNCube> row) : row_(std::move(row)) {}
  [[nodiscard]] std::size_t routers() const override { return row_->routers(); }
  [[nodiscard]] std::size_t terminals() const override { return 2 * routers(); }
  [[nodiscard]] std::size_t ports() const override { return row_->ports(); }
  [[nodiscard]] std::span<const Link> links() const override { return row_->links(); }
  [[nodiscard]] const Link* outgoing(RouterId r, PortId p) const override { return row_->outgoing(r, p); }
  [[nodiscard]] const Link* incoming(RouterId r, PortId p) const override { return row_->incoming(r, p); }
  [[nodiscard]] RouterId router_of(TerminalId t) const override { return RouterId(index(t) / 2); }
  [[nodiscard]] std::string router_name(RouterId r) const override { return row_->router_name(r); }
  [[nodiscard]] std::string port_name(PortId p) const override { return row_->port_name(p); }
  [[nodiscard]] unsigned distance(RouterId a, RouterId b) const override { return row_->distance(a, b); }
  [[nodiscard]] unsigned diameter() const override { return row_->diameter(); }
  [[nodiscard]] double mean_distance() const override { return row_->mean_distance(); }
  [[nodiscard]] unsigned bisection() const override { return row_->bisection(); }
  [[nodiscard]] double capacity() const override { return row_->capacity(); }

 private:
  std::shared_ptr<const KAryNCube> row_;
};

}  // namespace noctule::fabric_test
