#include "tb/elaboration.h"

#include <exception>
#include <utility>

#include "kernel/systemc.h"

namespace noctule {
namespace {

const std::function<void()>* pending_work = nullptr;
std::exception_ptr failure;

}  // namespace

void run_in_sc_main(const std::function<void()>& work) {
  pending_work = &work;
  char name[] = "noctule";
  char* arguments[] = {name, nullptr};
  sc_core::sc_elab_and_sim(1, arguments);
  pending_work = nullptr;
  if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
}

}  // namespace noctule

int sc_main(int, char**) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  try {
    if (noctule::pending_work != nullptr) (*noctule::pending_work)();
  } catch (...) {
    noctule::failure = std::current_exception();
  }
  return 0;
}
