#pragma once
// A certificate for people and for programs.

#include <string>
#include <utility>
#include <vector>

#include "core/parameters.h"
#include "verify/certificate.h"

namespace noctule {

/// Virtual channel classes that are used (lanes not counted), least and most over the fabric.
struct Range {
  unsigned least = 0;
  unsigned most = 0;
};
struct ChannelUse {
  std::size_t total = 0;
  bool both_ways = true;  ///< a link runs back beside each
  /// Of each link and the one that runs back, by groups of links (LinkGroups), and the group's name.
  std::vector<std::pair<std::string, Range>> per_link;
  Range driven;     ///< on the links that leave a router
  Range both_ends;  ///< on those that leave or enter it, as Gravano et al. 1994 count
};
ChannelUse channel_use(const Certificate& certificate);

/// Several lines, the first of which is `label`, the verdict and how it was reached.
std::string to_text(const Certificate& certificate, const std::string& label);
/// {"label", "verdict", "method", "reason", "limit", "conditions", "channels", "dependencies",
/// "virtual_channels_used", "fully_adaptive", "minimal", "longest_path", "witness": [...], "worms": [...]}.
/// With multicasts also "consumption_classes", and "destinations" of the messages of the witness.
Json to_json(const Certificate& certificate, const std::string& label);
/// The same with the number of every channel. Of a proof by rings the first row of each dimension: the others
/// are like it.
Json certificate_document(const Certificate& certificate, const std::string& label);

/// "a -> b -> c -> a", by channel name; of a longer cycle than `most` its beginning, and how long it is.
std::string cycle_text(const Certificate& certificate, std::size_t most = 1000);

}  // namespace noctule
