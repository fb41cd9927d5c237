#include "tlm/core.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/user_number.h"
#include "tlm/settings_check.h"
#include "verify/require_proof.h"

namespace noctule::tlm {
namespace {

constexpr std::uint32_t kNobody = ~0U;

}  // namespace

TlmNetwork::Core::Core(TlmNetwork& owner, NetworkParts parts)
    : network(owner),
      settings(std::move(parts.settings)),
      map(settings.regions, settings.targets.size(), settings.otherwise),
      packetizer(settings.packet),
      id_of_(std::move(parts.id_of)),
      annotate_(std::move(parts.annotate)) {
  check_settings(settings, map, parts.plan);
  const MessageClasses& classes = parts.plan.message_classes;
  request_class_ = classes.number_of(settings.request_class, "tlm.request_class");
  response_class_ = classes.number_of(settings.response_class, "tlm.response_class");
  request_room_ = classes[request_class_].buffer.value_or(kAll);
  if (settings.reorder == Reorder::kNone) response_room_ = settings.response_buffer;
  order_kept_ = keeps_order(settings, parts.plan);
  prove(parts.plan, parts.allow_deadlock);

  const std::size_t terminals = parts.plan.topology->terminals();
  initiator_at_.assign(terminals, kNobody);
  target_at_.assign(terminals, kNobody);
  FabricOptions options = std::move(parts.fabric);
  options.period = sc_time(settings.period_ns, sc_core::SC_NS);
  options.discard = false;
  options.queue_packets = kUnlimited;
  options.sink = std::shared_ptr<TerminalSink>(std::shared_ptr<void>(), this);
  fabric = std::make_unique<Fabric>("fabric", std::move(parts.plan), options);
  period_ = Divisor(fabric->options().period.value());
  fabric->attach(std::shared_ptr<TrafficSource>(std::shared_ptr<void>(), this));
  transit_ = std::make_unique<Transit>(fabric->plan(), fabric->zero_load(), settings, request_class_,
                                       response_class_, fabric->options().seed, parts.calibration);
  make_sides(parts.widths);
}

TlmNetwork::Core::~Core() = default;

void TlmNetwork::Core::make_sides(const std::vector<BusWidth>& more) {
  std::vector<BusWidth> widths = more;
  for (BusWidth& width : usual_widths()) widths.push_back(std::move(width));
  const auto width_of = [&](unsigned bits, const std::string& key) -> const BusWidth& {
    const auto found = std::ranges::find(widths, bits, &BusWidth::bits);
    if (found == widths.end())
      throw ConfigError(key,
                        fmt::format("no socket has {} bits; possible are 8, 16, 32, ... 1024, and what a "
                                    "program adds (NetworkParts::widths)",
                                    bits));
    return *found;
  };
  for (const auto& initiator : settings.initiators) {
    auto& side = *initiators_.emplace_back(std::make_unique<InitiatorSide>());
    side.core = this;
    side.id = InitiatorId(static_cast<std::uint32_t>(initiators_.size() - 1));
    side.socket = width_of(initiator.bus_width, fmt::format("tlm.initiators.{}.bus_width", initiator.name))
                      .target(initiator.name.c_str(), side);
    initiator_at_[noctule::index(initiator.terminal)] = static_cast<std::uint32_t>(initiators_.size() - 1);
  }
  for (const auto& target : settings.targets) {
    auto& side = *targets_.emplace_back(std::make_unique<TargetSide>());
    side.core = this;
    side.id = TargetId(static_cast<std::uint32_t>(targets_.size() - 1));
    side.socket = width_of(target.bus_width, fmt::format("tlm.targets.{}.bus_width", target.name))
                      .initiator(target.name.c_str(), side);
    target_at_[noctule::index(target.terminal)] = static_cast<std::uint32_t>(targets_.size() - 1);
  }
}

void TlmNetwork::Core::prove(const FabricPlan& plan, bool allow_deadlock) const {
  try {
    require_proof(std::make_shared<const FabricPlan>(plan));
  } catch (const ConfigError& error) {
    if (allow_deadlock) return;
    auto findings = error.diagnostics();
    for (auto& finding : findings) finding.message += sockets_text(settings, finding.message);
    throw ConfigError(std::move(findings));
  }
}

void TlmNetwork::Core::connect() {
  if (!moves_flits() && network.clk_i.size() > 0)
    throw ConfigError(
        "tlm.level",
        fmt::format("a clock is bound to {}, and without flits nothing counts its edges; leave it "
                    "unbound, and give tlm.period",
                    network.clk_i.name()));
  for (auto& side : initiators_) side->backward = side->socket->backward();
  for (std::size_t n = 0; n < targets_.size(); ++n) {
    targets_[n]->forward = targets_[n]->socket->forward();
    if (targets_[n]->forward == nullptr)
      throw ConfigError(fmt::format("tlm.targets.{}", settings.targets[n].name),
                        fmt::format("no target is bound to {}; bind one to initiator_socket<{}>({})",
                                    targets_[n]->socket->object().name(), settings.targets[n].bus_width, n));
  }
}

void TlmNetwork::Core::complain(sc_core::sc_object& socket, const char* clause, const std::string& text) {
  ++counters.complaints;
  const std::string message = fmt::format("{}: {} (IEEE 1666-2011, {})", socket.name(), text, clause);
  if (settings.strict) {
    SC_REPORT_ERROR("/noctule/tlm", message.c_str());
    return;
  }
  if (complained_.emplace(&socket, clause).second)
    SC_REPORT_WARNING("/noctule/tlm", (message + "; told once a socket").c_str());
}

// --- the fabric ---

void TlmNetwork::Core::send(TerminalId from, TerminalId to, std::uint32_t flits, bool request,
                            std::uint32_t part) {
  ++counters.packets;
  if (!moves_flits()) return carry(part, request, flits);
  GeneratedPacket packet;
  packet.destination = to;
  packet.length = flits;
  packet.message_class = request ? request_class_ : response_class_;
  packet.user = as_user(parts_.token(part));
  if (!fabric->inject(from, packet)) throw InternalError("an unlimited source queue refused a packet");
}

void TlmNetwork::Core::delivered(const Delivery& delivery, std::vector<TerminalId>&) {
  const std::uint64_t token = number_of(delivery.user);
  if (!parts_.alive(token)) return;  // a reset came first
  const bool request = delivery.message_class == request_class_;
  record(parts_[Slots<Part>::number_of(token)], request,
         {delivery.length, delivery.birth, delivery.injected, delivery.consumed});
  agenda_.add({request ? What::kAtTarget : What::kReturn, token});
}

void TlmNetwork::Core::injected(TerminalId, void* user, Cycle, std::vector<TerminalId>&) {
  const std::uint64_t token = number_of(user);
  if (parts_.alive(token)) left_queue(Slots<Part>::number_of(token));
}

void TlmNetwork::Core::left_queue(std::uint32_t n) {
  Part& part = parts_[n];
  if (part.state == PartState::kRequesting) {
    InitiatorSide& side = side_of(transaction_of(part));
    --side.queued;
    if (!side.waiting.empty()) agenda_.add({What::kAdvance, noctule::index(side.id)});
  } else if (part.state == PartState::kResponding) {
    TargetSide& side = side_of(part);
    --side.queued;
    if (moves_flits()) --side.held;
    if (!side.answered.empty()) agenda_.add({What::kSendAnswers, noctule::index(side.id)});
  }
}

unsigned TlmNetwork::Core::room(TerminalId terminal, std::uint8_t message_class, bool head, Cycle) {
  if (!head) return kAll;
  const bool request = message_class == request_class_;
  const std::uint32_t limit = request ? request_room_ : response_room_;
  if (limit == kAll) return kAll;
  const std::uint32_t held = request ? targets_[target_at_[noctule::index(terminal)]]->held
                                     : initiators_[initiator_at_[noctule::index(terminal)]]->held;
  return held < limit ? limit - held : 0;
}

void TlmNetwork::Core::took(const TakenFlit& flit, Cycle) {
  if (flit.message_class == request_class_)
    ++targets_[target_at_[noctule::index(flit.terminal)]]->held;
  else
    ++initiators_[initiator_at_[noctule::index(flit.terminal)]]->held;
}

// --- what is due ---

void TlmNetwork::Core::serve() {
  agenda_.serve([this](const Item& item) { perform(item); });
}

void TlmNetwork::Core::perform(const Item& item) {
  const std::uint32_t number = Slots<Part>::number_of(item.of);
  const auto side = static_cast<std::size_t>(item.of);
  switch (item.what) {
    case What::kArrive:
      if (transactions_.alive(item.of)) arrive(number);
      return;
    case What::kLeftQueue:
      if (parts_.alive(item.of)) left_queue(number);
      return;
    case What::kDue:
      if (parts_.alive(item.of)) due(number);
      return;
    case What::kAdvance:
      return advance(*initiators_[side]);
    case What::kRespond:
      return respond(*initiators_[side]);
    case What::kFreeResponse:
      initiators_[side]->responding = false;
      return respond(*initiators_[side]);
    case What::kSendAnswers:
      return send_answers(*targets_[side]);
    case What::kAbandoned:
      if (transactions_.alive(item.of)) end_abandoned(number);
      return;
    case What::kReset:
      return perform_reset();
    case What::kReturn:
      if (parts_.alive(item.of)) part_returned(number);
      return;
    case What::kAtTarget:
      if (parts_.alive(item.of)) at_target(number);
      return;
    case What::kEndRequest:
      if (parts_.alive(item.of)) request_ended(number);
      return;
    case What::kAnswer:
      if (parts_.alive(item.of)) answer(number);
      return;
  }
}

/// Everything in the fabric is gone. What a target is at work on ends when that has answered.
void TlmNetwork::Core::perform_reset() {
  transit_->reset();
  for (auto& side : targets_) {
    side->queued = 0;
    side->held = 0;
    side->arrived.clear();
    for (const std::uint64_t token : side->answered)
      if (parts_.alive(token)) leave_target(*side, parts_.number_of(token));
    side->answered.clear();
  }
  for (auto& side : initiators_) {
    side->queued = 0;
    side->held = 0;
    side->waiting.clear();
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> hit;
  transactions_.each([&](std::uint32_t n) {
    const Stage stage = transactions_[n].stage;
    if (stage == Stage::kWaiting || stage == Stage::kMoving) hit.emplace_back(transactions_[n].number, n);
    if ((stage == Stage::kReady || stage == Stage::kResponding) && transactions_[n].counted)
      ++side_of(transactions_[n]).held;
  });
  std::ranges::sort(hit);
  for (const auto& [order, n] : hit) {
    Transaction& t = transactions_[n];
    InitiatorSide& side = side_of(t);
    t.failed = true;
    t.status = ::tlm::TLM_GENERIC_ERROR_RESPONSE;
    t.left = 0;
    if (!t.abandoned()) ++counters.failed;
    for (const std::uint32_t p : t.parts) {
      Part& part = parts_[p];
      const bool at_work = part.state == PartState::kBegun || part.state == PartState::kAccepted;
      if (at_work) {
        ++t.left;
        ++side_of(part).held;
      } else {
        part.state = PartState::kReturned;
      }
    }
    end_request(side, n);
    if (t.left == 0) make_ready(side, n);
  }
  for (std::size_t n = 0; n < targets_.size(); ++n)
    if (targets_[n]->requesting != 0 && !parts_.alive(targets_[n]->requesting)) targets_[n]->requesting = 0;
}

}  // namespace noctule::tlm
