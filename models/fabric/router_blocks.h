#pragma once
// The blocks of a router as objects of the SystemC hierarchy: their names, and the ports by which flits and
// credits leave the router. They have neither state nor a process: what a block does is a static function of
// the router's state record (blocks/), so a router works alike with them and without (Hierarchy).

#include <memory>
#include <vector>

#include "kernel/interfaces.h"
#include "nodes/router_plan.h"

namespace noctule {

/// Blocks that not every router has.
struct RouterBlocksOptions {
  bool output_buffers = true;  ///< else only an account of the slots behind the links
  bool switch_allocator = false;
  bool retransmission = false;
};

class RouterBlocks {
 public:
  /// Within the constructor of the router, whose children they become.
  RouterBlocks(const RouterPlan& plan, const RouterBlocksOptions& options);
  ~RouterBlocks();

  /// "link_0", ...: the multiplexer of a physical link is the port by which its flits leave.
  [[nodiscard]] sc_core::sc_port<flit_if>& link(std::size_t outbound) { return *links_[outbound]; }
  /// "input_buffers.credit_o_0", ...: credits of an inbound link to the router at its other end.
  [[nodiscard]] sc_core::sc_port<credit_if>& credit_o(std::size_t inbound);

 private:
  class WithoutPorts;
  class InputBuffers;

  std::vector<std::unique_ptr<WithoutPorts>> without_ports_;
  std::unique_ptr<InputBuffers> input_buffers_;
  std::vector<std::unique_ptr<sc_core::sc_port<flit_if>>> links_;
};

}  // namespace noctule
