#include "verify/verifier.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/foreign_code.h"
#include "routing/buffer_class.h"
#include "topology/cube_geometry.h"
#include "verify/conclusion.h"
#include "verify/conditions.h"
#include "verify/planned/verify_planned.h"
#include "verify/unicast/check_numbering.h"
#include "verify/unicast/ends.h"
#include "verify/unicast/factored.h"
#include "verify/unicast/legs.h"
#include "verify/unicast/rank_condition.h"
#include "verify/unicast/survey.h"
#include "verify/witness/witness.h"
#include "verify/witness/witness_schedule.h"

namespace noctule {
namespace {

/// Header states that are kept in memory, in the search for a deadlocked set, count for so many followed.
constexpr std::uint64_t kKeptState = 4;
/// Networks so small that proofs by factors are checked by following every worm.
constexpr std::size_t kCheckedInFull = 512;

class Verifier {
 public:
  Verifier(std::shared_ptr<const FabricPlan> plan, const VerifyOptions& options) : options_(options) {
    certificate_.plan = std::move(plan);
    certificate_.channels = std::make_shared<ChannelIndex>(*certificate_.plan);
    certificate_.conditions = common_conditions(*certificate_.plan);
  }

  Certificate run() {
    if (plan().multicast && !carries_unicasts_alone(plan())) {
      verify_planned(certificate_, options_);
      return std::move(certificate_);
    }
    if (!by_factors() && !by_legs()) by_survey();
    if (const auto* derived = dynamic_cast<const BufferClassRelation*>(plan().relation.get());
        derived != nullptr && certificate_.limit.empty())
      certificate_.rank_breach =
          rank_breach(plan(), channels(), [&](RouterId r) { return derived->algorithm().label(r); });
    return std::move(certificate_);
  }

 private:
  [[nodiscard]] const FabricPlan& plan() const { return *certificate_.plan; }
  [[nodiscard]] const ChannelIndex& channels() const { return *certificate_.channels; }
  /// Routers at which worms rest on more than an order of the channels: those that send on channels of parts
  /// that have cycles. What happens in other parts is settled, and theirs alone.
  void find_resting(const DependencyGraph& direct) {
    resting_.assign(plan().routers.size(), false);
    const auto in = direct.in_parts_with_cycles();
    for (ChannelId c = 0; c < channels().size(); ++c)
      if (in[c])
        resting_[index(channels().is_consumption(c)
                           ? channels().router(c)
                           : plan().topology->links()[index(channels().link(c))].from)] = true;
  }
  /// Of these, one whose output VCs are given to a worm while flits of another one are behind them; else any.
  [[nodiscard]] RouterId lenient() const {
    RouterId any{};
    for (std::uint32_t r = 0; r < resting_.size(); ++r) {
      if (!resting_[r]) continue;
      any = RouterId{r};
      if (plan().nodes[any].release != VcRelease::kNextBufferEmpty) return any;
    }
    return any;
  }
  [[nodiscard]] bool enters_empty_vcs() const { return empty_vcs().holds; }
  [[nodiscard]] ProofCondition empty_vcs() const { return empty_vc_condition(plan().nodes[lenient()]); }

  bool by_factors() {
    if (!options_.use_factors || plan().message_classes.named()) return false;
    auto proof = prove_by_factors(plan(), channels());
    if (!proof) return false;
    if (proof->cyclic_dimension) {
      // A ring is enough to show the cycle, and small where the fabric may not be.
      keep_row(*proof->cyclic_dimension);
      return false;
    }
    certificate_.facts = std::move(proof->facts);
    certificate_.numbering = std::move(proof->numbering);
    certificate_.followed = Certificate::Followed::kRings;
    if (plan().topology->routers() <= kCheckedInFull) check(false);
    conclude(
        certificate_, Verdict::kProved, "acyclic",
        "no worm can ask for a channel that comes before one it holds: dimensions are corrected in order, "
        "and the channels of each ring have an order");
    return true;
  }

  /// Where there are so many pairs and drawn routers that following every worm is long.
  bool by_legs() {
    if (!options_.use_factors || plan().message_classes.named() || !too_many_but_by_legs(plan()))
      return false;
    auto proof = prove_by_legs(plan(), channels(), options_.header_states);
    if (!proof) return false;
    certificate_.facts = std::move(proof->facts);
    certificate_.numbering = std::move(proof->numbering);
    certificate_.followed = Certificate::Followed::kLegs;
    conclude(
        certificate_, Verdict::kProved, "acyclic",
        "worms go to a drawn router and from there to their destination, on VCs of their own for each leg; "
        "the channels of each leg can be numbered so that its worms ask only for channels with higher "
        "numbers than those they hold");
    return true;
  }

  /// Worms of one row of a dimension only, where following all would be long.
  void keep_row(unsigned d) {
    const auto& cube = *plan().topology->geometry<CubeGeometry>();
    if (cube.size() <= kCheckedInFull) return;
    std::vector<unsigned> at(cube.dimensions(), 0);
    for (at[d] = 0; at[d] < cube.radix(d); ++at[d]) among_.push_back(cube.router_at(at));
  }

  void by_survey() {
    Survey s = survey(plan(), channels(), options_.header_states, among_);
    certificate_.facts = std::move(s.facts);
    auto& facts = certificate_.facts;
    if (!s.complete) {
      stop_at(certificate_, kVerifyStatesKey,
              fmt::format("{} header states were followed, and there are more; raise {}", facts.header_states,
                          kVerifyStatesKey),
              "the other header states");
      return;
    }
    if (facts.direct.acyclic() && !among_.empty()) {
      among_.clear();  // the row does not show what the ring did: follow all
      return by_survey();
    }
    if (facts.direct.acyclic()) {
      certificate_.numbering = *s.direct.numbering();
      check(false);
      conclude(
          certificate_, Verdict::kProved, "acyclic",
          "the channels can be numbered so that every worm asks only for channels with higher numbers than "
          "those it holds");
      return;
    }
    std::string why =
        facts.cyclic_inside
            ? fmt::format("the dependency graph has cycles ({} of {} channels)",
                          facts.direct.channels_in_cycles, facts.direct.channels)
            : fmt::format(
                  "the dependency graph has cycles through terminals, which wait with what they take until "
                  "they have sent something ({} channels and ends of terminals)",
                  facts.direct.channels_in_cycles);
    find_resting(s.direct);
    if (s.any_adaptive && by_escape(why)) return;
    search(s.direct, std::move(why));
  }

  void check(bool escape_only) const {
    const auto breach = check_numbering(plan(), channels(), certificate_.numbering, escape_only);
    if (!breach.empty())
      throw InternalError("the numbering of the channels does not survive its check at " + breach);
  }

  /// `why` says more if it fails.
  bool by_escape(std::string& why) {
    auto& facts = certificate_.facts;
    const DependencyGraph escape = escape_dependencies(plan(), channels(), facts);
    facts.escape = count(escape, facts.used_as_escape);
    if (!facts.escape_always_offered) {
      why += "; some header has no escape channel on offer";
      return false;
    }
    if (!facts.escape->acyclic()) {
      why +=
          fmt::format("; so have the dependencies between escape channels, indirect ones included ({} of {})",
                      facts.escape->channels_in_cycles, facts.escape->channels);
      return false;
    }
    certificate_.conditions.push_back(empty_vcs());
    if (!enters_empty_vcs()) {
      why += fmt::format(
          "; the escape channels would prove it free of deadlock if a worm took a VC only when it is empty, "
          "but {}{} lets it in behind another worm (set node.release: next_buffer_empty{})",
          release_text(plan().nodes[lenient()].release),
          plan().nodes.alike() ? "" : " of " + plan().topology->router_name(lenient()),
          plan().nodes.alike() ? "" : " there");
      return false;
    }
    auto number = *escape.numbering();
    const bool ends_wait = plan().message_classes.ends_wait();
    for (ChannelId c = 0; c < number.size(); ++c)
      if (channels().is_consumption(c) ? !ends_wait : facts.used_as_escape[c] == 0)
        number[c] = Certificate::kUnnumbered;
    certificate_.numbering = std::move(number);
    check(true);
    conclude(certificate_, Verdict::kProved, "escape_network",
             "every header can always wait for an escape channel, and the escape channels can be numbered so "
             "that each worm asks only for ones with higher numbers than those it holds, whatever it took in "
             "between");
    return true;
  }

  void search(const DependencyGraph& direct, std::string why);
  void keep_graphs(std::vector<HeaderGraph>& graphs) const {
    for (std::size_t r = 0; r < plan().topology->routers(); ++r) {
      const auto destination = RouterId(r);
      if (plan().consuming[r].empty()) continue;
      if (!among_.empty() && std::find(among_.begin(), among_.end(), destination) == among_.end()) continue;
      for (unsigned c = 0; c < plan().message_classes.size(); ++c) {
        graphs.emplace_back(plan(), channels());
        if (among_.empty())
          graphs.back().explore(destination, c);
        else
          graphs.back().explore(destination, among_, c);
      }
    }
  }

  VerifyOptions options_;
  Certificate certificate_;
  std::vector<RouterId> among_;  ///< not empty: only worms between these were followed
  std::vector<bool> resting_;    ///< by router: see find_resting
};

/// No order of the channels proves anything: can worms wait for one another in all their alternatives?
void Verifier::search(const DependencyGraph& direct, std::string why) {
  auto& facts = certificate_.facts;
  if (!options_.find_witness) {
    leave_open(certificate_, std::move(why),
               "a search for worms that block each other, which was not asked for");
    return;
  }
  if (facts.header_states * kKeptState > options_.header_states) {
    certificate_.witness.cycle.clear();
    stop_at(certificate_, kVerifyStatesKey,
            fmt::format("{}; the search for worms that block each other would keep {} header states; "
                        "raise {}",
                        why, facts.header_states, kVerifyStatesKey),
            "the search for worms that block each other");
    return;
  }
  std::vector<HeaderGraph> graphs;
  keep_graphs(graphs);
  if (plan().message_classes.ends_wait()) {
    certificate_.witness.cycle = describe_end_cycle(plan(), channels(), graphs, direct.shortest_cycle());
    leave_open(certificate_, std::move(why),
               "a simulation in which they wait for each other, or a proof that they cannot");
    return;
  }
  const auto set = largest_deadlocked_set(graphs, channels());
  const bool empty = std::none_of(set.begin(), set.end(), [](bool in) { return in; });
  if (empty && enters_empty_vcs()) {
    certificate_.conditions.push_back(empty_vcs());
    conclude(certificate_, Verdict::kProved, "no_deadlocked_set",
             why + "; but no set of channels can be held by worms that all wait for channels of the set");
    return;
  }
  const auto cycle = direct.shortest_cycle();
  if (plan().message_classes.named()) {
    certificate_.witness.cycle = describe_end_cycle(plan(), channels(), graphs, cycle);
    leave_open(certificate_, std::move(why),
               "a simulation in which worms block each other, or a proof that they cannot");
    return;
  }
  certificate_.witness.cycle = describe_cycle(graphs, cycle);
  WitnessSearch search;
  search.most_worms = options_.witness_worms;
  DeadlockWitness witness;
  bool found = !empty && find_waiting_worms(plan(), channels(), graphs, set, search, witness);
  if (!found && plan().nodes.any([](const auto& node) { return node.release == VcRelease::kTailCrossed; })) {
    witness = {};
    found = find_committed_worms(plan(), channels(), graphs, cycle, search, witness);
  }
  if (found) {
    schedule(witness, plan(), channels(), options_.cycles_per_hop);
    certificate_.witness = std::move(witness);
    return leave_open(certificate_, why + "; worms that should block each other can be constructed",
                      "a simulation in which they do, or a proof that they cannot");
  }
  why += fmt::format("; {} worms were tried, and no set of them that blocks itself was found", search.worms);
  if (search.cut)
    return stop_at(certificate_, kVerifyWormsKey, fmt::format("{}; raise {}", why, kVerifyWormsKey),
                   "the rest of the search for worms that block each other");
  leave_open(certificate_, why + "; the search ended",
             "worms that block each other, or a proof that there are none");
}

}  // namespace

Certificate verify(std::shared_ptr<const FabricPlan> plan, const VerifyOptions& options) {
  return ask_part("routing.algorithm", "the relation",
                  [&] { return Verifier(std::move(plan), options).run(); });
}

}  // namespace noctule
