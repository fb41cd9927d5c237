#pragma once
// A deadlock as a picture.

#include <string>

#include "verify/certificate.h"

namespace noctule {

/// The fabric with the worms of the witness in it, as an SVG document without references to anything outside.
/// Thick lines: the channels that a worm holds, from a numbered dot at its source to the arrow head at its
/// header, on the right-hand side of the direction of travel; dashed arrows: what the header waits for, bold
/// if in witness.cycle. Small boxes beside a router: consumption channels and retransmission buffers that are
/// held or waited for (ConsumptionBoxes). One legend line per worm. Where no worms were constructed, each
/// dependency of the cycle is drawn as a worm. Meshes and tori lie in a grid (DrawingLayout), other networks
/// on a circle. Throws InternalError for an empty witness.
[[nodiscard]] std::string draw_witness(const Certificate& certificate);

}  // namespace noctule
