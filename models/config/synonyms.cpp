// What keys and values are called elsewhere.

#include "config/spelling.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string_view>

namespace noctule {
namespace {

/// A name of ours, and the words that stand for it elsewhere, separated by blanks: in BookSim2, Noxim,
/// Garnet, Constellation, FlooNoC, ProNoC, Ratatoskr and Merlin, and in papers.
struct Synonyms {
  const char* name;
  std::string_view words;
};

constexpr std::array<Synonyms, 47> kKeys{{
    {"topology.kind", "network_topology topo"},
    {"topology.radix",
     "columns dim dims dimx dimy height k mesh_cols mesh_dim_x mesh_dim_y mesh_rows mesh_size "
     "n num_x num_y nx ny rows side size t1 t2 width xdim ydim"},
    {"topology.terminals_per_router",
     "c concentration conc cores_per_router nodes_per_router num_cpus tiles_per_router"},
    {"routing.algorithm",
     "algorithm rf route_algo route_name router_algorithm routing_algorithm routing_function "
     "routing_relation routing_type"},
    {"routing.forbid", "forbidden forbidden_turns illegal_turns prohibited prohibited_turns turns"},
    {"node.crossbar_per", "crossbar crossbars num_crossbars"},
    {"node.model", "node_model router router_model router_type"},
    {"node.lanes",
     "n_vcs n_virtual_channels num_vc num_vcs num_virt_channels num_virtual_channels numvcs "
     "nvcs v vc vc_count vc_num vcs vcs_per_link vcs_per_vnet virt_channels virtual_channels"},
    {"node.input_depth",
     "b buf_size buffer buffers buffer_depth buffer_depths buffer_size buffers_per_ctrl_vc "
     "buffers_per_data_vc depth fifo_depth in_fifo_depth input_buf_size input_buffer_depth "
     "input_buffer_size queue_depth vc_buf_size vc_buffer_depth vc_buffer_size vc_depth"},
    {"node.output_depth",
     "out_buf_size out_fifo_depth output_buf_size output_buffer_depth output_buffer_size"},
    {"node.selection", "selection_function selection_policy selection_strategy"},
    {"node.switch_allocator", "sa_allocator sw_alloc sw_allocator switch_alloc switch_arbiter"},
    {"node.vc_allocator", "va_allocator vc_alloc virtual_channel_allocator"},
    {"node.arbiter", "arb_type arbiter_type arbitration sw_alloc_arb_type vc_alloc_arb_type"},
    {"node.allocator_iterations", "alloc_iters islip_iterations iterations sw_alloc_iters vc_alloc_iters"},
    {"node.vc_allocation_delay", "va_delay vc_alloc_delay vc_allocation_latency"},
    {"node.switch_allocation_delay", "sa_delay sw_alloc_delay switch_alloc_delay"},
    {"node.traversal_delay", "crossbar_delay st_delay st_final_delay st_prepare_delay xbar_delay"},
    {"node.routing_delay", "rc_delay route_computation_delay route_delay router_delay router_latency"},
    {"node.lookahead", "lookahead_routing noq route_lookahead"},
    {"node.speculative", "spec speculation"},
    {"link.flit_delay",
     "channel_delay channel_latency delay hop_latency latency link_delay link_latency "
     "use_noc_latency wire_delay"},
    {"link.credit_delay", "credit_latency credit_return_delay"},
    {"traffic.pattern",
     "destination_distribution synthetic traffic_distribution traffic_pattern traffic_type "
     "workload"},
    {"traffic.source", "injection_process injection_type process temporal_distribution"},
    {"traffic.offered_load",
     "flit_rate inj_rate injection_load injection_rate injectionrate injrate lambda load "
     "packet_injection_rate pir rate"},
    {"traffic.load_unit", "injection_rate_unit injection_rate_uses_flits rate_unit"},
    {"traffic.packet_length",
     "flits flits_per_packet length message_length message_size msg_len num_flits packet_flits "
     "packet_len packet_size pkt_len pkt_size worm_length"},
    {"traffic.packet_lengths", "max_packet_size min_packet_size packet_size_rate packet_sizes"},
    {"traffic.source_queue", "injection_queue source_queue_size"},
    {"traffic.multicast.fraction", "mc_rate multicast_fraction multicast_rate multicast_ratio"},
    {"measurement", "sim simulation statistics stats"},
    {"measurement.flows", "detailed flow_stats pair_stats pairs per_flow"},
    {"measurement.precision", "acc_stopping_thres accuracy convergence relative_error stopping_thres"},
    {"message_classes", "classes num_vnets virtual_networks vnet vnets"},
    {"measurement.warm_up",
     "reset_time stats_warm_up_time warm_up_cycles warmup warmup_cycles warmup_duration "
     "warmup_packets warmup_periods warmup_start warmup_time"},
    {"measurement.cycles",
     "collect_time cycles duration max_cycles measure measure_cycles measurement_cycles num_cycles "
     "run_duration runtime sample_period sim_cycles sim_time simulation_cycles simulation_time "
     "total_cycles"},
    {"measurement.limit", "drain_limit max_samples"},
    {"measurement.batches", "num_batches sample_count samples"},
    {"seed", "random_seed rnd_generator_seed rnd_seed rng_seed srand"},
    {"sweep", "axes axis grid parameters sweeps"},
    {"compare", "comparison series variants"},
    {"trace.vcd", "dump dump_vcd trace_mode vcd wave waveform waves"},
    {"trace.events", "event_log flit_log log watch_file watch_out"},
    {"multicast.planner", "multicast_algorithm multicast_routing"},
    {"limits.memory_mb", "max_memory memory memory_limit"},
    {"limits.time_h", "max_time time_limit timeout"},
}};

constexpr std::array<Synonyms, 52> kValues{{
    {"dimension_order",
     "dest_tag deterministic dim_order dimension_order_routing dimension_ordered "
     "dimension_ordered_routing dor dor_xy e_cube ecube minimal x_then_y x_y xy xy_dor "
     "xy_routing xyz yx"},
    {"turn_table",
     "negative_first negativefirst nf odd_even oddeven table table_based turn_model wall_first "
     "west_first westfirst wf"},
    {"north_last", "nl northlast"},
    {"oblivious", "oblivious_routing"},
    {"negative_hop", "n_hop neg_hop nhop"},
    {"positive_hop", "p_hop phop pos_hop"},
    {"star_channels", "adaptive duato fully_adaptive min_adapt minimal_adaptive star star_channel stars"},
    {"four_classes", "4_classes 4classes four_class"},
    {"uniform", "rand random traffic_random uniform_random uniform_random_traffic uniform_traffic ur"},
    {"bit_complement", "bit_comp bitcomp complement"},
    {"bit_reversal", "bit_rev bit_reverse bitrev reversal reverse traffic_bit_reversal"},
    {"transpose", "matrix_transpose traffic_transpose1 traffic_transpose2 transpose1 transpose2"},
    {"bit_rotation", "bit_rot bitrot rotation"},
    {"shuffle", "perfect_shuffle shuffel traffic_shuffle"},
    {"neighbor", "local nearest_neighbor nearest_neighbour neighbour onehop shift traffic_local"},
    {"hotspot", "hot_spot hotspots hs incast traffic_hotspot"},
    {"permutation_random", "permutation random_permutation randperm"},
    {"permutation_file", "custom file table_based_traffic traffic_table_based"},
    {"bernoulli", "bernouli geometric poisson random_process"},
    {"periodic", "cbr constant deterministic_rate regular"},
    {"static", "batch burst_at_start one_shot"},
    {"trace_file", "netrace replay trace trace_driven"},
    {"workload", "chakra collective dag goal task_graph tasks"},
    {"mesh", "2d_mesh fmesh mesh2d mesh_2d mesh_xy n_mesh"},
    {"torus", "2d_torus fold_torus folded_torus torus2d torus_2d"},
    {"hypercube", "binary_cube cube ncube"},
    {"k_ary_n_cube", "k_n_cube kncube"},
    {"ring", "bidirectional_ring ring1d torus1d"},
    {"input_queued", "baseline iq iq_router textbook vc_router"},
    {"generic", "default standard"},
    {"separable_input_first", "input_first pim sep_if sep_input_first separable separable_if sepif"},
    {"separable_output_first", "output_first sep_of sep_output_first separable_of sepof"},
    {"wavefront", "wave wave_front wf_allocator"},
    {"maximum", "max max_size maximum_size maxsize optimal"},
    {"round_robin", "rotating_priority roundrobin rr rra"},
    {"matrix", "least_recently_served lrs lru matrix_arbiter"},
    {"first_come", "age fcfs fifo first_come_first_served oldest_first"},
    {"fixed", "fixed_priority prio priority"},
    {"random", "rand_selection"},
    {"least_busy", "adaptive_selection buffer_level least_congested most_credits nop"},
    {"next_buffer_empty", "atomic atomic_reallocation atomic_vc wait_for_tail_credit"},
    {"tail_crossed", "non_atomic nonatomic"},
    {"flits_per_node_cycle", "flit flits flits_node_cycle flits_per_cycle"},
    {"packets_per_node_cycle", "packet packets packets_per_cycle"},
    {"normalized", "capacity fraction relative"},
    {"infinite", "inf unbounded unlimited"},
    {"discard", "drop lossy"},
    {"column_path", "col_path columnpath"},
    {"dual_path", "dp dualpath"},
    {"multipath", "mp multi_path"},
    {"individual", "separate_addressing unicast unicasts"},
    {"e_mcast", "e_multicast emcast"},
}};

/// Without what is no letter or digit, in small letters.
std::string bare(std::string_view word) {
  std::string text;
  for (const char c : word)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// From bare words to our names.
template <class Table>
std::multimap<std::string, std::string> by_word(const Table& table) {
  std::multimap<std::string, std::string> names;
  for (const Synonyms& row : table)
    for (std::size_t at = 0; at < row.words.size();) {
      const std::size_t end = std::min(row.words.find(' ', at), row.words.size());
      names.emplace(bare(row.words.substr(at, end - at)), row.name);
      at = end + 1;
    }
  return names;
}

const std::multimap<std::string, std::string>& keys_by_word() {
  static const auto kNames = by_word(kKeys);
  return kNames;
}

/// The name for which the word nearest to this one stands, of names that may be meant; empty where none is so
/// near that it is a misspelling, one letter in five.
template <class May>
std::string name_near(const std::multimap<std::string, std::string>& names, const std::string& word,
                      May&& may_be) {
  constexpr std::size_t kLongest = 64;
  if (word.size() > kLongest) return {};
  std::size_t least = word.size() / 5 + 1;
  std::string near;
  for (const auto& [other, name] : names) {
    if (!may_be(name)) continue;
    if (const std::size_t distance = edit_distance(word, other); distance < least) {
      least = distance;
      near = name;
    }
  }
  return near;
}

template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const Synonyms& row : table) names.emplace_back(row.name);
  return names;
}

}  // namespace

std::string key_of_synonym(const std::string& word) {
  const auto found = keys_by_word().find(bare(word));
  return found == keys_by_word().end() ? std::string() : found->second;
}

std::string key_near_synonym(const std::string& word, const std::string& section) {
  return name_near(keys_by_word(), bare(word),
                   [&](const std::string& key) { return section.empty() || key.starts_with(section + "."); });
}

std::string suggested_value(const std::string& word, const std::vector<std::string>& allowed) {
  static const auto kNames = by_word(kValues);
  const auto [first, last] = kNames.equal_range(bare(word));
  for (auto it = first; it != last; ++it)
    if (std::find(allowed.begin(), allowed.end(), it->second) != allowed.end()) return it->second;
  const std::string near = nearest_spelling(word, allowed);
  if (!near.empty()) return near;
  return name_near(kNames, bare(word), [&](const std::string& name) {
    return std::find(allowed.begin(), allowed.end(), name) != allowed.end();
  });
}

std::vector<std::string> keys_with_synonyms() {
  return names_of(kKeys);
}

std::vector<std::string> values_with_synonyms() {
  return names_of(kValues);
}

}  // namespace noctule
