#include "tlm/network.h"

#include <fmt/format.h>

#include "tlm/core.h"

namespace noctule::tlm {

TlmNetwork::TlmNetwork(sc_core::sc_module_name name, NetworkParts parts) : sc_module(name) {
  const auto annotate = parts.annotate;
  try {
    core_ = std::make_unique<Core>(*this, std::move(parts));
  } catch (const ConfigError& error) {
    if (annotate) throw annotate(error);
    throw;
  }
  if (core_->moves_flits()) {
    core_->fabric->clk_i(clk_i);
    core_->fabric->rst_ni(rst_ni);
  } else {
    SC_METHOD(watch_reset);
    sensitive << rst_ni;
  }
  SC_METHOD(serve);
  dont_initialize();
  sensitive << core_->due();
}

TlmNetwork::~TlmNetwork() = default;

void TlmNetwork::serve() {
  core_->serve();
}

void TlmNetwork::watch_reset() {
  if (rst_ni.size() > 0 && !rst_ni->read()) core_->reset();
}

void TlmNetwork::end_of_elaboration() {
  core_->connect();
}

AnyTargetSocket& TlmNetwork::any_target_socket(std::size_t number) {
  if (number >= core_->settings.initiators.size())
    throw ConfigError("tlm.initiators",
                      fmt::format("target_socket({}) is asked for; there are {}, counted from 0", number,
                                  core_->settings.initiators.size()));
  return core_->target_socket(number);
}

AnyInitiatorSocket& TlmNetwork::any_initiator_socket(std::size_t number) {
  if (number >= core_->settings.targets.size())
    throw ConfigError("tlm.targets",
                      fmt::format("initiator_socket({}) is asked for; there are {}, counted from 0", number,
                                  core_->settings.targets.size()));
  return core_->initiator_socket(number);
}

void TlmNetwork::refuse_width(bool target, std::size_t number, unsigned width) const {
  const TlmSettings& s = core_->settings;
  const auto refuse = [&](const char* section, const auto& socket) {
    throw ConfigError(fmt::format("tlm.{}.{}.bus_width", section, socket.name),
                      fmt::format("the socket has {} bits, and one of {} is asked for; make them equal",
                                  socket.bus_width, width));
  };
  if (target) refuse("initiators", s.initiators[number]);
  refuse("targets", s.targets[number]);
  throw InternalError("unreachable");
}

void TlmNetwork::observe(std::shared_ptr<TransactionObserver> observer) {
  if (!observer) throw ConfigError("record", "the observer is null; give one that can be told");
  if (core_->open() > 0)
    throw ConfigError("record", fmt::format("{} transactions are open; observe before the first one begins",
                                            core_->open()));
  if (!core_->recorder) core_->recorder = std::make_unique<Recorder>(core_->settings.initiators.size());
  core_->recorder->add(std::move(observer));
}

const TlmSettings& TlmNetwork::settings() const {
  return core_->settings;
}
const AddressMap& TlmNetwork::map() const {
  return core_->map;
}
const Packetizer& TlmNetwork::packetizer() const {
  return core_->packetizer;
}
const Fabric& TlmNetwork::fabric() const {
  return *core_->fabric;
}
NetworkCounters TlmNetwork::counters() const {
  return core_->counters;
}
std::size_t TlmNetwork::open() const {
  return core_->open();
}

}  // namespace noctule::tlm
