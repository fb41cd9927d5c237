#include "transactions/settings.h"

#include <fmt/format.h>

namespace noctule {

std::vector<Diagnostic> level_faults(const TlmSettings& settings) {
  std::vector<Diagnostic> faults;
  const char* const level = kLevels[static_cast<std::size_t>(settings.level)];
  if (settings.contention != Contention::kNone && settings.level != Level::kLoose)
    faults.push_back({"tlm.contention",
                      fmt::format("level {} knows what packets wait for; leave contention out, or give level "
                                  "loose",
                                  level),
                      {}});
  if (settings.level == Level::kApproximate && settings.grants_dmi)
    faults.push_back(
        {"tlm.dmi",
         "at level approximate direct memory access would take packets away from the links; leave "
         "it out, or give level loose",
         {}});
  if (settings.level == Level::kLoose && settings.keep_delay)
    faults.push_back({"tlm.return_delay",
                      "keep is given; at level loose the delay that comes back is all that tells the time; "
                      "leave it out",
                      {}});
  if (settings.utilisation_window < 1)
    faults.push_back({"tlm.utilisation_window", "0 is given; 1 at least is needed", {}});
  return faults;
}

}  // namespace noctule
