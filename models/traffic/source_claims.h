#pragma once
// What a traffic source says of itself, looked at before anybody counts on it: the source may be a plug-in.

#include <cstddef>
#include <optional>
#include <vector>

#include "traffic/source.h"

namespace noctule {

/// The functions of TrafficSource with these names, for a network of so many terminals and a configuration of
/// so many message classes (1 without names). Each throws a ConfigError of "traffic.source" where the source
/// throws, names a terminal or class that is not there, or gives rates, shares or lengths that cannot be.
/// Asks anew with every call; keeps a reference to the source.
class SourceClaims {
 public:
  SourceClaims(const TrafficSource& source, std::size_t terminals, std::size_t classes)
      : source_(source), terminals_(terminals), classes_(classes) {}

  [[nodiscard]] std::optional<TrafficSource::Ends> ends() const;
  [[nodiscard]] std::optional<TrafficSource::Offered> offered() const;
  [[nodiscard]] TrafficSource::LengthShares lengths() const;
  [[nodiscard]] std::vector<RegulatedFlow> regulated() const;
  [[nodiscard]] std::vector<ClassDemand> demand() const;
  [[nodiscard]] std::optional<ClosedLoop> loop() const;

 private:
  void check_terminal(const char* what, TerminalId terminal) const;
  void check_class(const char* what, std::uint8_t message_class) const;
  void check_all(const char* what, std::size_t size) const;

  const TrafficSource& source_;
  std::size_t terminals_;
  std::size_t classes_;
};

}  // namespace noctule
