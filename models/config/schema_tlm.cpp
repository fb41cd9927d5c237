// The declaration of TLM-2.0 sockets at the terminals.

#include <cstdint>
#include <utility>

#include "config/schema_sections.h"
#include "core/json.h"
#include "core/key_effect.h"
#include "transactions/settings.h"

namespace noctule {
namespace {

bool is_in_section(const Json& resolved, const char* key, const char* value) {
  return resolved.at("tlm").at(key) == value;
}

// `noctule levels` compares all levels, whichever the file names.
const EffectOf kUtilisation{
    {{"tlm.utilisation_window", "tlm.calibration"},
     "",
     "tlm.contention is utilisation, and in noctule levels",
     [](const Json& resolved) { return is_in_section(resolved, "contention", "utilisation"); },
     [](const Json&) {
       return std::string(
           "it counts only where tlm.contention is utilisation, and in noctule levels; leave it out, or give "
           "it to noctule levels with --set");
     }}};
const EffectOf kResponseBuffer{{{"tlm.response_buffer"}, "", "tlm.reorder is none", [](const Json& resolved) {
                                  return is_in_section(resolved, "reorder", "none");
                                }}};

}  // namespace

Parameter tlm_section() {
  using P = Parameter;
  const auto terminal = [](const char* what) {
    return P::integer("terminal", nullptr, 0, (std::int64_t{1} << 31) - 1, "", what).mandatory();
  };
  const auto width = [] { return P::integer("bus_width", 32, 1, 65536, "bits", "BUSWIDTH of the socket"); };
  auto initiator = P::section(
      "initiator",
      {terminal("terminal of the fabric at which its requests enter and its responses leave"), width(),
       P::integer("max_outstanding", 8, 1, 1'000'000, "transactions",
                  "transactions that have begun and not ended; the next one waits, and END_REQ with it"),
       P::integer("max_per_id", "unlimited", 1, 1'000'000, "transactions", "of those, with one id")
           .or_word("unlimited")},
      "an initiator: a target socket of the network");
  auto target = P::section(
      "target",
      {terminal("terminal of the fabric at which its requests leave and its responses enter"), width()},
      "a target: an initiator socket of the network");
  auto region = P::section(
      "region",
      {P::text("base", nullptr, "first address, in decimal or, with 0x, in hexadecimal").mandatory(),
       P::text("size", nullptr, "bytes, written likewise; 4KiB, 16MiB and 2GiB are possible too").mandatory(),
       P::text("target", "", "who serves it, by name; empty: see interleave"),
       P::text("offset", "0", "address at the target that base becomes, at each if several share the region"),
       P::section("interleave",
                  {P::text("granule", nullptr, "bytes that one target serves before the next one's turn")
                       .mandatory(),
                   P::list("over", nullptr, P::text("target", nullptr, "name of a target"), 1, 4096,
                           "targets that take turns")
                       .mandatory(),
                   P::boolean("hash", false, "the turn is XORed with the higher parts of the address")},
                  "targets that share the region")
           .only_if_given()},
      "a range of addresses");
  return P::section(
      "tlm",
      {P::choice(
           "level", "cycle", {kLevels.begin(), kLevels.end()},
           "cycle: flits move in the fabric; approximate: packets book their links; loose: nothing moves, "
           "delays are annotated"),
       P::choice(
           "contention", "none", {kContentions.begin(), kContentions.end()},
           "what packets wait for others at level loose: nothing, or the mean at links that are as busy"),
       P::integer("utilisation_window", 4096, 1, 1'000'000'000, "cycles",
                  "with contention utilisation: over which the share of busy cycles of a link is taken"),
       P::file("calibration",
               "with contention utilisation: what packets wait as links are busy, as noctule levels FILE "
               "--calibrate OUT found for this fabric"),
       P::real("period", 1.0, 0, 1e9, "ns",
               "a cycle of the fabric, where no clock is bound; a whole number of ps, the resolution of time")
           .exclusive_minimum(),
       P::named("initiators", std::move(initiator), 65536, "who sends requests, by name, in this order"),
       P::named("targets", std::move(target), 65536, "who serves them, by name, in this order"),
       P::list("map", Json::array(), std::move(region), 0, 65536, "which target serves which addresses"),
       P::text("default", "", "target that serves all other addresses; empty: nobody, ADDRESS_ERROR"),
       P::section("packet",
                  {P::integer("flit_bytes", 8, 1, 4096, "bytes", "of data in a flit"),
                   P::integer("address_bits", 40, 1, 64, "bits", "of a request header"),
                   P::integer("length_bits", 12, 1, 28, "bits",
                              "of a request header: a packet carries at most 2 to this power bytes"),
                   P::integer("id_bits", 8, 0, 32, "bits", "of all headers")},
                  "widths of flits and of the fields of headers"),
       P::boolean("split", true,
                  "cut transactions across regions, granules and packets; else they end with BURST_ERROR"),
       P::choice("reorder", "none", {kReorders.begin(), kReorders.end()},
                 "which responses of an initiator come in the order of requests: none; needs a fabric that "
                 "keeps the order of each pair; those of one target, of one id, or all"),
       P::choice("end_req", "call", {"call", "return"},
                 "END_REQ as a call on the backward path, or as the return of the call with BEGIN_REQ where "
                 "the request is taken at once"),
       P::choice(
           "dmi", "by_level", {"by_level", "denied", "granted"},
           "direct memory access, whose traffic the fabric does not see; by_level: granted at level loose"),
       P::choice("return_delay", "zero", {"zero", "keep"},
                 "b_transport waits for the annotated delay and returns zero, or sends at once and gives it "
                 "back as it came"),
       P::boolean("strict", false,
                  "what clients do against the base protocol is an error; else a warning, once a socket"),
       P::integer("request_queue", 1, 1, 1'000'000, "packets",
                  "of an initiator that wait for its injection channel; END_REQ waits for room"),
       P::integer("response_queue", 1, 1, 1'000'000, "packets",
                  "of a target that wait for its injection channel; END_RESP waits for room"),
       P::integer("response_buffer", 2, 1, 1'000'000, "responses",
                  "that the terminal of an initiator holds until END_RESP, with reorder none; else as many "
                  "as are outstanding"),
       P::text("request_class", "request", "message class of the requests"),
       P::text("response_class", "response", "message class of the responses")},
      "TLM-2.0 sockets at the terminals, for programs that link noctule::tlm");
}

}  // namespace noctule
