#include "support/mutants.h"

namespace noctule::mutants {
namespace {

Tables all() {
  Tables tables;
  add_ring_mutants(tables);
  add_mesh_mutants(tables);
  add_escape_mutants(tables);
  add_class_mutants(tables);
  add_allocation_mutants(tables);
  return tables;
}

}  // namespace

Mutants cyclic() {
  return all().cyclic;
}
Mutants undecided() {
  return all().undecided;
}
Mutants refused() {
  return all().refused;
}
Mutants harmless() {
  return all().harmless;
}

}  // namespace noctule::mutants
