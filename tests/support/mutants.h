#pragma once
// Deliberately wrong relations, partitions and allocation rules, as tables that tests run over.

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "nodes/router_plan.h"

namespace noctule::mutants {

/// A fabric in which something is wrong, or looks so.
struct Mutant {
  std::string name;                  ///< of a test: letters, digits and _
  std::function<FabricPlan()> plan;  ///< may throw ConfigError, for mutants that are to be refused
  friend void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.name; }
};
using Mutants = std::vector<Mutant>;

/// Worms can deadlock, and the verifier constructs such worms.
Mutants cyclic();
/// Not proved, and not known to deadlock either: unknown as well.
Mutants undecided();
/// Broken contracts and dead ends: a ConfigError, from the relation, the plan or the verifier.
Mutants refused();
/// Changed, and free of deadlock all the same.
Mutants harmless();

// Parts of the tables, by what was changed.
struct Tables {
  Mutants cyclic;
  Mutants undecided;
  Mutants refused;
  Mutants harmless;
};
void add_ring_mutants(Tables& tables);        ///< dimension order, datelines
void add_mesh_mutants(Tables& tables);        ///< turns, mixed orders, no order at all
void add_escape_mutants(Tables& tables);      ///< *-Channels, Duato's escape networks
void add_class_mutants(Tables& tables);       ///< 4-Classes, Linder-Harden, hop classes
void add_allocation_mutants(Tables& tables);  ///< release rules, partitions

}  // namespace noctule::mutants
