// Past the fabric: debug accesses and direct memory access.

#include "tlm/checked_system.h"

namespace noctule::tlm::tlm_test {
namespace {

TEST(ADebugAccess, CrossesRegionsInNoTimeAndReturnsTheBytesMoved) {
  Platform platform;
  platform.targets = {15, 12};
  platform.map =
      "  map:\n    - {base: 0, size: 4KiB, interleave: {granule: 64, over: [t0, t1]}}\n"
      "    - {base: 4KiB, size: 4KiB, target: t1, offset: 0xfc00}\n";
  CheckedSystem system(platform);
  std::vector<unsigned char> data(1000), back(1000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * 3 + 1);
  system.initiators[0]->body = [&](Initiator& initiator) {
    Payload p;
    Payloads::fill(p, true, 100, data.data(), 1000);
    EXPECT_EQ(initiator.socket->transport_dbg(p), 1000U);
    EXPECT_EQ(p.get_address(), 100U);
    EXPECT_EQ(p.get_data_ptr(), data.data());
    EXPECT_EQ(p.get_data_length(), 1000U);
    Payloads::fill(p, false, 100, back.data(), 1000);
    EXPECT_EQ(initiator.socket->transport_dbg(p), 1000U);
    EXPECT_EQ(back, data);
    // The second target ends after 1 KiB of its region; nobody serves what is behind the map.
    Payloads::fill(p, false, 0x1000 + 900, back.data(), 1000);
    EXPECT_EQ(initiator.socket->transport_dbg(p), 124U);
    Payloads::fill(p, false, 0x2000 - 4, back.data(), 8);
    EXPECT_EQ(initiator.socket->transport_dbg(p), 0U);
    Payloads::fill(p, false, 0x3000, back.data(), 8);
    EXPECT_EQ(initiator.socket->transport_dbg(p), 0U);
    EXPECT_EQ(sc_core::sc_time_stamp(), SC_ZERO_TIME);
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(system.network->counters().packets, 0U);
}

TEST(DirectAccess, IsDeniedUnlessItIsAskedFor) {
  CheckedSystem system(Platform{});
  system.memories[0]->dmi_last = 0xffff;
  system.initiators[0]->body = [&](Initiator& initiator) {
    Payload p;
    Payloads::fill(p, false, 0x100, nullptr, 4);
    ::tlm::tlm_dmi dmi;
    EXPECT_FALSE(initiator.socket->get_direct_mem_ptr(p, dmi));
    EXPECT_TRUE(dmi.is_none_allowed());
    EXPECT_EQ(dmi.get_start_address(), 0U);
    EXPECT_EQ(dmi.get_end_address(), 0xffffU);
    EXPECT_EQ(p.get_address(), 0x100U);
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
}

TEST(DirectAccess, IsClippedWithItsPointerAndTakenBackFromThoseWhoHoldIt) {
  Platform platform;
  platform.initiators = {0, 3};
  platform.targets = {15, 12};
  platform.map =
      "  map:\n    - {base: 0x10000, size: 4KiB, interleave: {granule: 256, over: [t0, t1]}}\n"
      "    - {base: 0x4000, size: 0x1000, target: t0, offset: 0x2000}\n";
  platform.more = "  dmi: granted\n";
  CheckedSystem system(platform);
  Memory& memory = *system.memories[0];
  memory.dmi_first = 0x80;
  memory.dmi_last = 0x27ff;
  system.initiators[0]->body = [&](Initiator& initiator) {
    Payload p;
    // Clipped to the region on its left, to what the memory grants on its right.
    Payloads::fill(p, false, 0x4010, nullptr, 4);
    ::tlm::tlm_dmi dmi;
    ASSERT_TRUE(initiator.socket->get_direct_mem_ptr(p, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0x4000U);
    EXPECT_EQ(dmi.get_end_address(), 0x47ffU);
    EXPECT_EQ(dmi.get_dmi_ptr(), &memory.store.bytes[0x2000]);
    EXPECT_EQ(p.get_address(), 0x4010U);
    // Terminal 0 to terminal 15: 6 hops each way.
    const ZeroLoad& zero = system.network->fabric().zero_load();
    EXPECT_EQ(dmi.get_read_latency(),
              sc_time(static_cast<double>(zero.latency(6, 1) + zero.latency(6, 2)), SC_NS));
    EXPECT_EQ(dmi.get_write_latency(),
              sc_time(static_cast<double>(zero.latency(6, 2) + zero.latency(6, 1)), SC_NS));
    // A granule, and within the first one of the memory only what that grants.
    Payloads::fill(p, false, 0x10200 + 5, nullptr, 4);
    dmi.init();
    ASSERT_TRUE(initiator.socket->get_direct_mem_ptr(p, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0x10200U);
    EXPECT_EQ(dmi.get_end_address(), 0x102ffU);
    EXPECT_EQ(dmi.get_dmi_ptr(), &memory.store.bytes[0x100]);
    Payloads::fill(p, false, 0x10090, nullptr, 4);
    dmi.init();
    ASSERT_TRUE(initiator.socket->get_direct_mem_ptr(p, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0x10080U);
    EXPECT_EQ(dmi.get_dmi_ptr(), &memory.store.bytes[0x80]);
    Payloads::fill(p, false, 0x10010, nullptr, 4);
    dmi.init();
    EXPECT_FALSE(initiator.socket->get_direct_mem_ptr(p, dmi)) << "the memory grants another range";
    // Only who holds something is told, in its own addresses, and once.
    memory.socket->invalidate_direct_mem_ptr(0x2100, 0x21ff);
    using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    EXPECT_EQ(initiator.invalidated, (Ranges{{0x4000, 0x47ff}}));
    memory.socket->invalidate_direct_mem_ptr(0x2100, 0x21ff);
    memory.socket->invalidate_direct_mem_ptr(0x8000, ~0ULL);
    EXPECT_EQ(initiator.invalidated.size(), 1U);
    memory.socket->invalidate_direct_mem_ptr(0, ~0ULL);
    EXPECT_EQ(initiator.invalidated, (Ranges{{0x4000, 0x47ff}, {0x10080, 0x100ff}, {0x10200, 0x102ff}}));
    EXPECT_TRUE(system.initiators[1]->invalidated.empty());
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(system.initiators[0]->invalidated.size(), 3U);
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
