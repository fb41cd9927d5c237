// Do waveform and event log of a run tell the same story? The state of every buffer in every cycle is worked
// out from the event log alone, by the rules of the cycle, and compared with what the waveform shows.

#include <array>
#include <deque>
#include <set>

#include "support/vcd_reader.h"
#include "trace/trace_support.h"
#include "trace/waveform_signals.h"

namespace noctule::trace_test {
namespace {

struct Case {
  std::string name;
  std::string routing;
  unsigned radix;
  bool wrap;
  unsigned input_depth, output_depth, consumption_depth;
  unsigned flit_delay, credit_delay;
  unsigned gap;  ///< cycles between the packets of a terminal

  /// Without output buffers: a textbook pipeline.
  [[nodiscard]] bool direct() const { return output_depth == 0; }
  [[nodiscard]] NodeDescription node() const {
    NodeDescription node;
    node.input_depth = input_depth;
    node.output_depth = output_depth;
    node.consumption_depth = consumption_depth;
    if (!direct()) return node;
    node.switch_allocator = "separable_input_first";
    node.pipeline = {.routing = 1, .vc_allocation = 1, .switch_allocation = 1, .traversal = 1};
    return node;
  }
};

struct FlitId {
  std::string packet;
  unsigned number = 0;
};

/// A buffer as the event log has it.
struct Buffer {
  std::deque<FlitId> flits;
  std::string connected;  ///< the place at the other side of the crossbar, empty: none
};

using Values = std::vector<std::optional<std::uint64_t>>;

class Agreement : public TraceTest, public testing::WithParamInterface<Case> {
 protected:
  static constexpr Cycle kCycles = 260;

  void SetUp() override {
    const Case& c = GetParam();
    fabric_ = std::make_unique<Fabric>(
        "fabric", linked(plan(c.radix, c.wrap, c.routing, c.node()), c.flit_delay, c.credit_delay),
        observed());
    source_ = random_packets(c.radix * c.radix, 12, c.gap, 5);
    fabric_->attach(source_);
    TraceSession session({file("a.vcd"), "", file("e.csv"), {"*"}, {}}, *fabric_);
    run(kCycles);
    session.close();
    vcd_ = std::make_unique<test::VcdFile>(file("a.vcd"));
    events_ = read_events(file("e.csv"));
    ASSERT_GT(events_.size(), 1000U);
  }

  /// Signal by name below the fabric, cycle by cycle.
  const Values& wave(const std::string& name) {
    auto [it, fresh] = waves_.try_emplace(name);
    if (fresh) it->second = (*vcd_)["fabric." + name].dense(0, kCycles);
    return it->second;
  }
  [[nodiscard]] unsigned type_of(const FlitId& flit, unsigned source, std::uint64_t number) const {
    const auto length = source_->length(source, number);
    if (length == 1) return 4;
    return flit.number == 0 ? 1 : flit.number + 1 == length ? 3 : 2;
  }
  [[nodiscard]] bool is_tail(const Event& e) const {
    return e.flit + 1 == source_->length(e.source, e.number());
  }
  void expect_flit(const std::string& stem, const std::string& valid, const FlitId* flit, Cycle t);
  void expect_buffers(Cycle t);
  void expect_wires(const std::vector<const Event*>& now, Cycle t);
  void move(const std::vector<const Event*>& now, Cycle t);
  void arrive(Cycle t);

  std::unique_ptr<Fabric> fabric_;
  std::shared_ptr<ListSource> source_;
  std::unique_ptr<test::VcdFile> vcd_;
  std::vector<Event> events_;
  std::map<std::string, Values> waves_;
  std::map<std::string, Buffer> in_, out_;       ///< by "router/port.vc", as in RouterPlan
  std::map<std::string, std::string> location_;  ///< "packet/flit" to the input it is in or comes to
  std::multimap<Cycle, std::pair<std::string, FlitId>> under_way_;
  std::multimap<Cycle, std::string> credits_under_way_;  ///< to inputs' senders
  std::map<std::string, unsigned> used_;                 ///< places taken behind an output, by that input
};

void Agreement::expect_flit(const std::string& stem, const std::string& valid, const FlitId* flit, Cycle t) {
  ASSERT_EQ(wave(stem + valid)[t], flit != nullptr ? 1U : 0U) << stem << " at " << t;
  if (flit == nullptr) {
    ASSERT_EQ(wave(stem + "packet")[t], std::nullopt);
    ASSERT_EQ(wave(stem + "type")[t], 0U);
    ASSERT_EQ(wave(stem + "source")[t], std::nullopt);
    ASSERT_EQ(wave(stem + "destination")[t], std::nullopt);
    ASSERT_EQ(wave(stem + "number")[t], std::nullopt);
    return;
  }
  const auto colon = flit->packet.find(':');
  const auto source = static_cast<unsigned>(std::stoul(flit->packet.substr(0, colon)));
  const auto number = std::stoull(flit->packet.substr(colon + 1));
  ASSERT_EQ(wave(stem + "packet")[t], number) << stem << " at " << t;
  ASSERT_EQ(wave(stem + "type")[t], type_of(*flit, source, number)) << stem << " at " << t;
  ASSERT_EQ(wave(stem + "source")[t], source);
  ASSERT_EQ(wave(stem + "destination")[t], index(source_->next(TerminalId{source}, number)->destination));
  ASSERT_EQ(wave(stem + "number")[t], flit->number) << stem << " at " << t;
}

/// Every register of every router at the start of cycle t.
void Agreement::expect_buffers(Cycle t) {
  const Case& c = GetParam();
  const FabricPlan& plan = fabric_->plan();
  for (std::size_t r = 0; r < plan.routers.size(); ++r) {
    const RouterPlan& router = *plan.routers[r];
    const std::string name = plan.topology->router_name(RouterId(r));
    const auto place_of = [](const std::vector<VcPlan>& vcs, const std::string& vc) {
      std::size_t i = 0;
      while (vcs[i].name != vc) ++i;
      return i;
    };
    for (const VcPlan& vc : router.inputs) {
      const bool terminal = vc.name == "injection";
      const Buffer& buffer = in_[name + "/" + vc.name];
      const std::string scope = vc_scope(vc, terminal) + ".";
      const std::string stem = name + ".input_buffers." + scope;
      expect_flit(stem, "flit_valid", buffer.flits.empty() ? nullptr : &buffer.flits.front(), t);
      if (c.input_depth > 1) {
        ASSERT_EQ(wave(stem + "flits")[t], buffer.flits.size()) << stem << " at " << t;
      }
      unsigned state = buffer.flits.empty() ? 0 : 1;
      std::optional<std::uint64_t> output;
      if (!buffer.connected.empty()) {
        const unsigned depth = buffer.connected == "consumption" ? c.consumption_depth : c.output_depth;
        bool full = out_[name + "/" + buffer.connected].flits.size() == depth;
        if (c.direct()) {
          full = buffer.connected != "consumption";
          if (full) {
            const VcPlan& o = router.outputs[place_of(router.outputs, buffer.connected)];
            const Link* link = plan.topology->outgoing(RouterId(r), o.port);
            full = used_[plan.topology->router_name(link->to) + "/" + o.name] == c.input_depth;
          }
        }
        state = full && !buffer.flits.empty() ? 3 : 2;
        output = place_of(router.outputs, buffer.connected);
      }
      ASSERT_EQ(wave(stem + "state")[t], state) << stem << " at " << t;
      ASSERT_EQ(wave(stem + "output")[t], output) << stem << " at " << t;
    }
    for (const VcPlan& vc : router.outputs) {
      const bool terminal = vc.name == "consumption";
      const Buffer& buffer = out_[name + "/" + vc.name];
      const std::string stem =
          name + (c.direct() ? ".output_credits." : ".output_buffers.") + vc_scope(vc, terminal) + ".";
      if (!c.direct())
        expect_flit(stem, "flit_valid", buffer.flits.empty() ? nullptr : &buffer.flits.front(), t);
      if (!c.direct() && (terminal ? c.consumption_depth : c.output_depth) > 1) {
        ASSERT_EQ(wave(stem + "flits")[t], buffer.flits.size()) << stem << " at " << t;
      }
      ASSERT_EQ(wave(stem + "busy")[t], buffer.connected.empty() ? 0U : 1U) << stem << " at " << t;
      std::optional<std::uint64_t> input;
      if (!buffer.connected.empty()) input = place_of(router.inputs, buffer.connected);
      ASSERT_EQ(wave(stem + "input")[t], input) << stem << " at " << t;
      if (terminal) continue;
      const Link* link = plan.topology->outgoing(RouterId(r), vc.port);
      const std::string behind = plan.topology->router_name(link->to) + "/" + vc.name;
      ASSERT_EQ(wave(stem + "credits")[t], c.input_depth - used_[behind]) << stem << " at " << t;
    }
  }
}

/// Every wire of cycle t: those of the events are driven, as many as there are events and no more.
void Agreement::expect_wires(const std::vector<const Event*>& now, Cycle t) {
  const FabricPlan& plan = fabric_->plan();
  std::set<std::string> driven;
  std::map<std::string, unsigned> count;
  for (const Event* e : now) {
    const FlitId flit{e->packet, e->flit};
    ++count[e->event];
    const auto router = [&] {
      std::size_t r = 0;
      while (plan.topology->router_name(RouterId(r)) != e->router) ++r;
      return r;
    }();
    const RouterPlan& routers_plan = *plan.routers[router];
    if (e->event == "generate" || e->event == "discard") {
      ASSERT_EQ(wave(e->router + ".injection." + e->event)[t], 1U);
    } else if (e->event == "inject" || e->event == "consume") {
      const std::string stem = e->router + (e->event == "inject" ? ".injection." : ".consumption.");
      expect_flit(stem, "valid", &flit, t);
    } else if (e->event == "link") {
      for (const VcPlan& vc : routers_plan.outputs) {
        if (vc.name != e->port + "." + e->vc) continue;
        const std::string stem = e->router + ".link_" + std::to_string(vc.channel) + ".";
        expect_flit(stem, "valid", &flit, t);
        ASSERT_EQ(wave(stem + "vc")[t], vc.vc);
      }
    }
  }
  // Nothing else is driven.
  std::map<std::string, unsigned> shown;
  for (const auto& [name, signal] : vcd_->signals) {
    if (signal.bits > 1 || signal.kind != "wire" || name.ends_with(".vc")) continue;
    if (name.ends_with("_input") || name.ends_with("_output")) continue;
    if (name.ends_with(".source") || name.ends_with(".destination")) continue;
    const auto block = name.substr(name.find('.', 7) + 1);
    const auto at = wave(name.substr(7))[t];
    ASSERT_TRUE(at.has_value());
    if (*at == 0) continue;
    if (block.ends_with("transfer"))
      ++shown["cross"];
    else if (block.starts_with("vc_allocator"))
      ++shown["grant"];
    else if (block.starts_with("link_"))
      ++shown["link"];
    else if (block.starts_with("consumption"))
      ++shown["consume"];
    else if (block == "injection.generate")
      ++shown["generate"];
    else if (block == "injection.discard")
      ++shown["discard"];
    else
      ++shown["inject"];
  }
  ASSERT_EQ(shown, count) << "at " << t;
}

void Agreement::arrive(Cycle t) {
  for (auto it = under_way_.begin(); it != under_way_.end() && it->first <= t; it = under_way_.erase(it))
    in_[it->second.first].flits.push_back(it->second.second);
  for (auto it = credits_under_way_.begin(); it != credits_under_way_.end() && it->first <= t;
       it = credits_under_way_.erase(it))
    --used_[it->second];
}

/// What the events of cycle t make of the buffers.
void Agreement::move(const std::vector<const Event*>& now, Cycle t) {
  const Case& c = GetParam();
  const FabricPlan& plan = fabric_->plan();
  for (const Event* e : now) {
    const std::string id = e->packet + "/" + std::to_string(e->flit);
    const std::string vc =
        e->port == "injection" || e->port == "consumption" ? e->port : e->port + "." + e->vc;
    const std::string here = e->router + "/" + vc;
    const auto leave = [&](Buffer& buffer) {
      ASSERT_FALSE(buffer.flits.empty()) << e->event << " at " << t;
      ASSERT_EQ(buffer.flits.front().packet, e->packet);
      ASSERT_EQ(buffer.flits.front().number, e->flit);
      buffer.flits.pop_front();
    };
    if (e->event == "inject") {
      location_[id] = here;
      in_[here].flits.push_back({e->packet, e->flit});
    } else if (e->event == "grant") {
      out_[here].connected = location_[id].substr(location_[id].find('/') + 1);
      in_[location_[id]].connected = vc;
    } else if (e->event == "cross") {
      const std::string from = location_[id];
      leave(in_[from]);
      out_[here].flits.push_back({e->packet, e->flit});
      if (is_tail(*e)) {
        in_[from].connected.clear();
        out_[here].connected.clear();
      }
      if (!from.ends_with("/injection")) credits_under_way_.emplace(t + c.credit_delay, from);
    } else if (e->event == "link") {
      leave(out_[here]);
      std::size_t r = 0;
      while (plan.topology->router_name(RouterId(r)) != e->router) ++r;
      const auto& outputs = plan.routers[r]->outputs;
      const auto& sent =
          *std::find_if(outputs.begin(), outputs.end(), [&](const VcPlan& o) { return o.name == vc; });
      const std::string to =
          plan.topology->router_name(plan.topology->outgoing(RouterId(r), sent.port)->to) + "/" + vc;
      location_[id] = to;
      ++used_[to];
      const Cycle stages = c.direct() ? c.node().pipeline.behind_switch_allocation() : 0;
      under_way_.emplace(t + stages + c.flit_delay, std::pair{to, FlitId{e->packet, e->flit}});
    } else if (e->event == "consume") {
      leave(out_[here]);
    }
  }
}

TEST_P(Agreement, OfEveryRegisterAndWireInEveryCycle) {
  EXPECT_EQ(vcd_->dumped_at, 0U);
  EXPECT_EQ(vcd_->end(), kCycles);
  std::map<std::string, unsigned> events;
  std::size_t next = 0;
  for (Cycle t = 0; t < kCycles; ++t) {
    std::vector<const Event*> now;
    for (; next < events_.size() && events_[next].cycle == t; ++next) {
      now.push_back(&events_[next]);
      ++events[events_[next].event];
    }
    arrive(t);
    ASSERT_NO_FATAL_FAILURE(expect_buffers(t));
    ASSERT_NO_FATAL_FAILURE(expect_wires(now, t));
    // The link takes what was in the output buffer at the start, the crossbar fills it afterwards, and so on:
    // against the flow, so that every buffer is left before it is entered. Without output buffers the
    // crossbar feeds the link.
    const auto order = GetParam().direct() ? std::array{"consume", "grant", "cross", "link", "inject"}
                                           : std::array{"consume", "link", "grant", "cross", "inject"};
    for (const char* kind : order) {
      std::vector<const Event*> some;
      for (const Event* e : now)
        if (e->event == kind) some.push_back(e);
      ASSERT_NO_FATAL_FAILURE(move(some, t));
    }
  }
  EXPECT_EQ(next, events_.size());
  const auto counters = fabric_->counters();
  EXPECT_EQ(events["link"], counters.flit_hops);
  EXPECT_EQ(events["consume"], counters.flits_delivered);
  EXPECT_EQ(events["inject"], counters.flits_injected);
  EXPECT_EQ(events["generate"], counters.packets_generated);
  EXPECT_EQ(events["grant"], counters.connections_made);
}

INSTANTIATE_TEST_SUITE_P(Runs, Agreement,
                         testing::Values(Case{"unit_star", "star_channels", 4, true, 1, 1, 1, 1, 1, 12},
                                         Case{"unit_mesh", "dimension_order", 3, false, 1, 1, 1, 1, 1, 6},
                                         Case{"partition", "four_classes", 4, true, 1, 1, 1, 1, 1, 12},
                                         Case{"parallel_links", "oblivious", 3, true, 1, 1, 1, 1, 1, 8},
                                         Case{"delays", "dimension_order", 4, true, 1, 1, 1, 3, 2, 20},
                                         Case{"quiet", "dimension_order", 3, true, 1, 1, 1, 5, 1, 16},
                                         Case{"deep", "star_channels", 4, true, 3, 2, 2, 1, 1, 10},
                                         Case{"textbook", "dimension_order", 4, false, 4, 0, 1, 1, 1, 10},
                                         Case{"textbook_delays", "dimension_order", 4, true, 2, 0, 1, 2, 3,
                                              12},
                                         Case{"deep_delays", "dimension_order", 4, true, 4, 1, 2, 4, 3, 10}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace noctule::trace_test
