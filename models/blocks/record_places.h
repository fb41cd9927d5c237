#pragma once
// Where the arrays of a router's record are.

#include <cstddef>
#include <cstdint>

namespace noctule {

/// Where an array of a router's record begins, in bytes from the record's beginning. A type of its own: so
/// compilers know that no flit and no number that is written changes it.
enum class RecordPlace : std::uint32_t {};

/// The arrays of a RouterState, which has a function of the same name for each. Those that a router does not
/// need are not there. Before them all, behind the state, is the ring of its arrivals.
struct RecordPlaces {
  RecordPlace ways_back;  ///< [inbound channel]: arrivals of the peer, where credits on usual links go; null:
                          ///< call. And one for injection, where none is due: the router's own
  RecordPlace in_vc;      ///< [input]
  RecordPlace in_flit;    ///< [input << in_shift | slot]
  RecordPlace out_vc;     ///< [output]
  RecordPlace outbound;   ///< [outbound channel]
  RecordPlace feasible;   ///< [input]: outputs that a waiting header may take; half_words(): as 32 bits each
  RecordPlace out_flit;   ///< [OutputBuffers::place_of * output_stride + slot]
  RecordPlace receivers;  ///< [output - link_outputs]
  RecordPlace senders;    ///< [slot * entries() + entry]
  RecordPlace interface;  ///< [slot]: those that inject; behind them those that consume, see consumers()
  RecordPlace scan_next;  ///< [crossbar]: input after the one served last
  RecordPlace select_next;  ///< [crossbar]: output after the one chosen last
  // Deep buffers:
  RecordPlace vc_turns;    ///< [output], then [input]: match_lone; with lone_headers
  RecordPlace out_ring;    ///< [OutputBuffers::place_of]
  RecordPlace far_counts;  ///< far planes of RouterState::counts; with far_planes
  RecordPlace ordered;     ///< with keeps_order()
  RecordPlace order;       ///< [input], twice: the lists of `ordered`
  RecordPlace allocators;  ///< with has_allocators()
  // Multicast:
  RecordPlace taps;    ///< [input]: consumption outputs besides that in in_vc
  RecordPlace claims;  ///< [input]

  std::size_t record;  ///< bytes of it all, in whole lines
};

}  // namespace noctule
