#pragma once
// From store-and-forward to wormhole routing (Boppana and Chalasani 1993, section 2): where packets kept
// apart by classes of buffers do not deadlock, worms kept apart by virtual channels of the same classes need
// not either. Who has such an algorithm writes down its class function; the relation follows from it.

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "routing/relation.h"
#include "topology/cube_geometry.h"

namespace noctule {

/// A store-and-forward algorithm by buffer reservation: the class of buffer that a packet occupies at each
/// router of its way, and the links by which it may leave. Pure functions.
class BufferClasses {
 public:
  virtual ~BufferClasses() = default;

  /// Class of the buffer in which a packet starts.
  [[nodiscard]] virtual unsigned at_source(RouterId source, RouterId destination) const {
    (void)source;
    (void)destination;
    return 0;
  }
  /// Class of the buffer that it occupies behind a link, having come from one of class `before`. Not asked of
  /// the last hop: at its destination a packet is consumed and waits for nothing.
  [[nodiscard]] virtual unsigned behind(const Link& link, RouterId destination, unsigned before) const = 0;
  /// May a packet in a buffer of this class take the link? Asked of links that lead closer to the
  /// destination; one of them has to be left.
  [[nodiscard]] virtual bool may_take(const Link& link, RouterId destination, unsigned buffer_class) const {
    (void)link;
    (void)destination;
    (void)buffer_class;
    return true;
  }
  /// Of two buffers of class b, the one at the router of higher label l has the higher rank: ranks are (b,
  /// l).
  [[nodiscard]] virtual unsigned label(RouterId router) const {
    (void)router;
    return 0;
  }
  /// What a class is called in waveforms and reports; different names for different classes.
  [[nodiscard]] virtual std::string class_name(unsigned buffer_class) const {
    return "buffer" + std::to_string(buffer_class);
  }
  /// The highest class of packets that leave by the link. An override must hold for all links and implies:
  /// all classes from 0 up to it occur there, every link that leads closer may be taken, and ranks rise with
  /// every hop. No value: all packets are followed, see below.
  [[nodiscard]] virtual std::optional<unsigned> highest_on(const Link& link) const {
    (void)link;
    return std::nullopt;
  }
};

/// The wormhole relation: a worm whose packet would wait in a buffer of class b, and could leave it by any of
/// a set of links, may take a virtual channel of class b on any of these. The header carries b.
///
/// Lemma 1: ranks that rise with every hop exclude deadlock, since each channel of class b on a link out of a
/// router labelled l has the rank (b, l) and worms wait for higher ranks than all they hold. The claims say
/// so where it is the case; verify/unicast/rank_condition.h names the hop where it is not. An algorithm that
/// is free of deadlock with store-and-forward need not satisfy this.
class BufferClassRelation final : public RoutingRelation {
 public:
  static constexpr unsigned kMostClasses = 256;

  /// `name`: of the algorithm, for messages. Unless the algorithm knows its highest classes, every packet is
  /// followed here: time grows with routers^2 times classes times ports. ConfigError (key
  /// "routing.algorithm"): more than kMostClasses classes, or a packet without a link to take.
  BufferClassRelation(std::shared_ptr<const Topology> topology,
                      std::shared_ptr<const BufferClasses> algorithm, std::string name);

  [[nodiscard]] std::span<const VcField> fields() const override { return fields_; }
  [[nodiscard]] unsigned classes(const Link& link) const override {
    return classes_[topology_->direction(link.from, link.out)];
  }
  [[nodiscard]] std::string class_name(const Link&, VcClass vc_class) const override {
    return algorithm_->class_name(static_cast<unsigned>(vc_class));
  }
  [[nodiscard]] bool exists(const Link& link, VcClass vc_class) const override {
    return index(vc_class) < kMostClasses && used_[index(link.id)].test(index(vc_class));
  }
  [[nodiscard]] VcLabel output_label(const Link&, VcClass vc_class) const override {
    return {static_cast<std::uint8_t>(vc_class)};
  }

  [[nodiscard]] RouteState initial_state(RouterId source, RouterId destination,
                                         std::uint64_t) const override {
    return algorithm_->at_source(source, destination);
  }
  void candidates(RouterId here, RouterId destination, RouteState state, CandidateList& list) const override;
  [[nodiscard]] RouteState next_state(RouterId here, RouterId destination, RouteState state,
                                      Candidate taken) const override;
  [[nodiscard]] bool has_state() const override { return most_classes_ > 1; }
  [[nodiscard]] unsigned header_bits() const override;

  [[nodiscard]] RoutingClaims claims() const override {
    return {true, fully_adaptive_, ranks_rise_ ? "acyclic" : "none"};
  }
  [[nodiscard]] unsigned hops(RouterId source, RouterId destination) const override {
    return topology_->distance(source, destination);
  }

  [[nodiscard]] const BufferClasses& algorithm() const { return *algorithm_; }

 private:
  bool take_what_is_known();
  void follow_packets();
  void use(const Link& link, unsigned buffer_class);
  /// Calls f with each link that leads closer, in the order of ports.
  template <class F>
  void each_link_closer(RouterId here, RouterId destination, F&& f) const;

  std::shared_ptr<const Topology> topology_;
  const CubeGeometry* cube_;  ///< of the topology, if it is one: its distances are cheap
  std::shared_ptr<const BufferClasses> algorithm_;
  std::string name_;
  std::vector<std::bitset<kMostClasses>> used_;  ///< by link
  std::vector<unsigned> classes_;                ///< by direction
  unsigned most_classes_ = 1;
  bool fully_adaptive_ = true;
  bool ranks_rise_ = true;
  std::vector<VcField> fields_;
};

/// The most hops that a packet on a shortest path can have behind it when it leaves by the link.
[[nodiscard]] unsigned most_hops_before(const CubeGeometry& cube, const Link& link);

}  // namespace noctule
