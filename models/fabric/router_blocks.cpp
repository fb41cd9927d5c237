#include "fabric/router_blocks.h"

#include <string>

namespace noctule {
namespace {

/// One port for each link: PREFIX0, PREFIX1, ...
template <class Interface>
std::vector<std::unique_ptr<sc_core::sc_port<Interface>>> make_ports(const std::string& prefix,
                                                                     std::size_t count) {
  std::vector<std::unique_ptr<sc_core::sc_port<Interface>>> ports;
  ports.reserve(count);
  for (std::size_t n = 0; n < count; ++n)
    ports.push_back(std::make_unique<sc_core::sc_port<Interface>>((prefix + std::to_string(n)).c_str()));
  return ports;
}

}  // namespace

/// A name. A module would take twice the memory, and has nothing to add where there are no ports.
class RouterBlocks::WithoutPorts final : public sc_core::sc_object {
 public:
  explicit WithoutPorts(const std::string& name) : sc_object(name.c_str()) {}
  [[nodiscard]] const char* kind() const override { return "block"; }
};

class RouterBlocks::InputBuffers final : public sc_core::sc_module {
 public:
  std::vector<std::unique_ptr<sc_core::sc_port<credit_if>>> credit_o;

  InputBuffers(sc_core::sc_module_name name, std::size_t inbound)
      : sc_module(name), credit_o(make_ports<credit_if>("credit_o_", inbound)) {}
};

RouterBlocks::RouterBlocks(const RouterPlan& plan, const RouterBlocksOptions& options)
    : input_buffers_(std::make_unique<InputBuffers>("input_buffers", plan.inbound.size())),
      links_(make_ports<flit_if>("link_", plan.outbound.size())) {
  const auto add = [&](const std::string& name) {
    without_ports_.push_back(std::make_unique<WithoutPorts>(name));
  };
  for (std::size_t x = 0; x < plan.crossbars; ++x) {
    const std::string suffix = plan.crossbars == 1 ? "" : "_" + std::to_string(x);
    add("vc_allocator" + suffix);
    add("crossbar" + suffix);
  }
  if (options.switch_allocator) add("switch_allocator");
  if (options.retransmission) add("retransmission");
  add(options.output_buffers ? "output_buffers" : "output_credits");
  add("injection");
  add("consumption");
  without_ports_.shrink_to_fit();
}

RouterBlocks::~RouterBlocks() = default;

sc_core::sc_port<credit_if>& RouterBlocks::credit_o(std::size_t inbound) {
  return *input_buffers_->credit_o[inbound];
}

}  // namespace noctule
