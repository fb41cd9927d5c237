#pragma once
// The only header that includes <tlm>.

#include "kernel/systemc.h"
// After it.
#include <tlm>

namespace noctule::tlm {

using Payload = ::tlm::tlm_generic_payload;
using Phase = ::tlm::tlm_phase;
using Sync = ::tlm::tlm_sync_enum;
using Forward = ::tlm::tlm_fw_transport_if<>;
using Backward = ::tlm::tlm_bw_transport_if<>;
using sc_core::sc_time;

}  // namespace noctule::tlm
