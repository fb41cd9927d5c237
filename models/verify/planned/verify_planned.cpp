#include "verify/planned/verify_planned.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "verify/conclusion.h"
#include "verify/planned/check_planned_numbering.h"
#include "verify/planned/planned_messages.h"
#include "verify/planned/planned_survey.h"

namespace noctule {
namespace {

std::string plural(unsigned n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

/// What proofs rest on where there are multicasts.
std::vector<ProofCondition> planned_conditions(const FabricPlan& plan) {
  const auto& node = plan.common_node();
  const auto& rule = *plan.multicast->consumption;
  std::vector<ProofCondition> list;
  list.push_back(
      {"each class of worms has a consumption channel of its own at every terminal",
       "node.consumption_channels",
       fmt::format("{}, {}", rule.classes() == 1 ? "1 class" : fmt::format("{} classes", rule.classes()),
                   plural(node.consumption_slots(), "channel")),
       true, true});
  const char* const choice = "node.consumption_wait, node.consumption_access, node.unicast_access";
  if (rule.waits_committed())
    list.push_back({"a consumption channel that a worm may commit itself to comes behind all that it holds",
                    choice, "committed: each that it may take was followed as if it waited for that alone",
                    true, true});
  else
    list.push_back({"a worm that waits for consumption channels can always take one of its own class", choice,
                    "first_free: its own is among those that it may take", true, true});
  if (node.retransmission_buffers > 0)
    list.push_back({"a message that was absorbed leaves its consumption channel for a retransmission buffer",
                    "node.retransmission_buffers",
                    plural(node.retransmission_buffers, "message") + " per terminal", true, true});
  else if (plan.multicast->planner->several_destinations())
    list.push_back(
        {"worms that go on from a destination acquire consumption channel and output VC in one order",
         "node.acquisition",
         node.acquisition == Acquisition::kOutputFirst ? "output VC first" : "consumption channel first",
         true, true});
  return list;
}

/// May a worm have several consumption channels to wait for, and take the first one that comes free?
bool chooses_consumption(const ConsumptionRule& rule) {
  if (rule.waits_committed()) return false;
  for (unsigned c = 0; c < rule.classes(); ++c)
    for (const bool several : {false, true})
      if (std::popcount(rule.channels(c, several).allowed) > 1) return true;
  return false;
}

class PlannedVerifier {
 public:
  PlannedVerifier(Certificate& certificate, const VerifyOptions& options)
      : certificate_(certificate),
        options_(options),
        plan_(*certificate.plan),
        channels_(*certificate.channels),
        survey_(survey_planned(plan_, channels_, options.header_states)) {}

  void run() {
    for (auto& condition : planned_conditions(plan_)) certificate_.conditions.push_back(std::move(condition));
    auto& facts = certificate_.facts = survey_.facts;
    if (!survey_.complete) {
      stop_at(certificate_, kVerifyStatesKey,
              fmt::format("more header states and messages than {} would have to be followed; raise {}",
                          options_.header_states, kVerifyStatesKey),
              "the other header states and messages");
    } else if (facts.direct.acyclic()) {
      prove();
    } else {
      show_cycle();
    }
  }

 private:
  [[nodiscard]] bool several() const { return plan_.multicast->planner->several_destinations(); }

  void prove() {
    certificate_.numbering = *survey_.graph.numbering();
    const auto breach = check_planned_numbering(plan_, channels_, certificate_.numbering);
    if (!breach.empty())
      throw InternalError("the numbering of the channels does not survive its check at " + breach);
    conclude(
        certificate_, Verdict::kProved, "acyclic",
        fmt::format("the channels{} can be numbered so that every worm asks only for channels with higher "
                    "numbers than those it holds",
                    several() ? ", consumption channels included," : ""));
  }

  void show_cycle() {
    const auto& facts = certificate_.facts;
    std::string why = fmt::format("the dependency graph{} has cycles ({} channels in them)",
                                  several() ? " of communication and consumption channels" : "",
                                  facts.direct.channels_in_cycles);
    if (!options_.find_witness)
      return leave_open(certificate_, std::move(why),
                        "a search for messages that deadlock, which was not asked for");
    const auto& certain = survey_.certain ? *survey_.certain : survey_.graph;
    const auto cycle = certain.shortest_cycle();
    if (cycle.empty())
      return leave_open(certificate_,
                        why + "; but of some dependencies it is not known whether a worm makes them",
                        "messages that make the dependencies of a cycle, or a proof that there are none");
    certificate_.witness.cycle = describe_planned_cycle(plan_, channels_, survey_, cycle);
    const bool consumes = std::any_of(cycle.begin(), cycle.end(), [&](ChannelId c) {
      return channels_.is_consumption(c) && !channels_.is_retransmission(c);
    });
    if (!survey_.single)
      why += "; but headers have a choice of channels, and others may come free";
    else if (consumes && chooses_consumption(*plan_.multicast->consumption))
      why +=
          "; but worms take the first of several consumption channels that comes free "
          "(node.consumption_access), and another one may come free";
    leave_open(certificate_, std::move(why),
               "a simulation in which messages deadlock, or a proof that none can");
  }

  Certificate& certificate_;
  const VerifyOptions& options_;
  const FabricPlan& plan_;
  const ChannelIndex& channels_;
  PlannedSurvey survey_;
};

}  // namespace

bool carries_unicasts_alone(const FabricPlan& plan) {
  const auto& planned = *plan.multicast;
  if (planned.planner->several_destinations() || planned.relation != plan.relation ||
      planned.consumption->classes() > 1 || plan.common_node().retransmission_buffers > 0)
    return false;
  bool straight = true;
  PlannedMessages(plan).each(*planned.planner, [&](TerminalId, auto destinations, const auto& worms) {
    straight = worms.size() == 1 && worms[0].stops.size() == 1 &&
               worms[0].stops[0] == Stop{plan.topology->consumption_router(destinations[0]), destinations[0]};
    return straight;
  });
  return straight;
}

void verify_planned(Certificate& certificate, const VerifyOptions& options) {
  PlannedVerifier(certificate, options).run();
}

}  // namespace noctule
