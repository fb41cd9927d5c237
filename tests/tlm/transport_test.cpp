// Do the phases come as the base protocol says: back-pressure, one request and one response at a time, early
// completion, order, the limit of open transactions?

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "core/rng.h"
#include "tlm/checked_system.h"
#include "tlm/random_support.h"
#include "tlm/transport_support.h"

namespace noctule::tlm::tlm_test {
namespace {

TEST(Requests, WaitForEndReqWhileTheTargetTakesNone) {
  Platform platform;
  platform.buffer = "1";
  CheckedSystem system(platform);
  Sender sender(*system.initiators[0]);
  std::deque<Payload*> at_target;
  system.memories[0]->forward = [&](Payload& p, Phase& phase, sc_time&) {
    if (phase == ::tlm::BEGIN_REQ) at_target.push_back(&p);
    return phase == ::tlm::END_RESP ? ::tlm::TLM_COMPLETED : ::tlm::TLM_ACCEPTED;
  };
  Payloads payloads;
  std::vector<unsigned char> data(64);
  system.initiators[0]->body = [&](Initiator&) {
    for (int n = 0; n < 8; ++n) sender.send(payloads.take(true, 0, data.data(), 64));
  };
  sc_core::sc_start(sc_time(1500, SC_NS));
  // One at the target's terminal; the others fill its VCs, the links and the queue, and the rest has no
  // END_REQ.
  const std::size_t taken = sender.log.size();
  EXPECT_LT(taken, 8U);
  EXPECT_GE(taken, 2U);
  EXPECT_EQ(at_target.size(), 1U);
  for (int n = 0; n < 8; ++n) {
    sc_core::sc_start(sc_time(500, SC_NS));
    ASSERT_EQ(at_target.size(), 1U) << n;
    Payload& p = *at_target.front();
    at_target.pop_front();
    system.memories[0]->store.execute(p);
    Phase phase = ::tlm::BEGIN_RESP;
    sc_time delay = SC_ZERO_TIME;
    system.memories[0]->socket->nb_transport_bw(p, phase, delay);
  }
  sc_core::sc_start(sc_time(1000, SC_NS));
  EXPECT_EQ(sender.statuses.size(), 8U);
  system.expect_clean(payloads);
}

TEST(Responses, WaitInTheFabricWhileTheInitiatorHoldsEndResp) {
  Platform platform;
  platform.more = "  response_buffer: 1\n";
  CheckedSystem system(platform);
  Sender sender(*system.initiators[0]);
  sender.hold = true;
  Payloads payloads;
  std::vector<unsigned char> data(64 * 8);
  system.initiators[0]->body = [&](Initiator&) {
    for (unsigned n = 0; n < 6; ++n) sender.send(payloads.take(false, 64 * n, &data[64 * n], 64));
  };
  sc_core::sc_start(sc_time(2000, SC_NS));
  ASSERT_EQ(sender.statuses.size(), 1U) << "one response at a time";
  EXPECT_GT(system.network->fabric().packets().live(), 0U) << "the others wait in the fabric";
  for (int n = 0; n < 6; ++n) {
    const auto last =
        std::find_if(sender.log.rbegin(), sender.log.rend(), [](const auto& e) { return e.what == 'r'; });
    auto& p = const_cast<Payload&>(*last->payload);
    EXPECT_EQ(system.initiators[0]->forward(p, ::tlm::END_RESP), ::tlm::TLM_COMPLETED);
    p.release();
    sc_core::sc_start(sc_time(500, SC_NS));
  }
  EXPECT_EQ(sender.statuses.size(), 6U);
  system.expect_clean(payloads);
}

TEST(EndResp, ComesToATargetWhenItsResponseIsInTheQueue) {
  Platform platform;
  platform.buffer = "24";
  platform.more = "  response_buffer: 1\n";
  CheckedSystem system(platform,
                       [](NetworkParts& parts) { parts.settings.initiators[0].max_outstanding = 24; });
  MoodyMemory moods("moods", *system.memories[0], 1);
  unsigned ended = 0;
  system.memories[0]->forward = [&, inner = system.memories[0]->forward](Payload& p, Phase& phase,
                                                                         sc_time& delay) {
    if (phase == ::tlm::END_RESP) ++ended;
    return inner(p, phase, delay);
  };
  Sender sender(*system.initiators[0]);
  sender.hold = true;
  Payloads payloads;
  std::vector<unsigned char> data(64);
  system.initiators[0]->body = [&](Initiator&) {
    for (unsigned n = 0; n < 24; ++n) sender.send(payloads.take(false, 0, data.data(), 64));
  };
  sc_core::sc_start(sc_time(3, sc_core::SC_US));
  EXPECT_GE(ended, 1U);
  EXPECT_LT(ended, 8U) << "the fabric has room for few responses";
  for (int n = 0; n < 24; ++n) {
    const auto last =
        std::find_if(sender.log.rbegin(), sender.log.rend(), [](const auto& e) { return e.what == 'r'; });
    auto& p = const_cast<Payload&>(*last->payload);
    EXPECT_EQ(system.initiators[0]->forward(p, ::tlm::END_RESP), ::tlm::TLM_COMPLETED);
    p.release();
    sc_core::sc_start(sc_time(200, SC_NS));
  }
  EXPECT_GT(ended, 12U);
  system.expect_clean(payloads);
}

TEST(ATarget, MayAnswerInEveryWayThatTheProtocolHas) {
  {
    CheckedSystem system(Platform{});
    Sender sender(*system.initiators[0]);
    Payloads payloads;
    int way = 0;
    Memory& memory = *system.memories[0];
    struct Later final : sc_core::sc_module {
      SC_HAS_PROCESS(Later);
      explicit Later(sc_core::sc_module_name name, Memory& memory) : sc_module(name), memory(memory) {
        SC_THREAD(run);
      }
      void run() {
        while (true) {
          sc_core::wait(event);
          while (!todo.empty()) {
            const auto [p, end_req] = todo.front();
            todo.pop_front();
            sc_core::wait(sc_time(7, SC_NS));
            if (end_req) call(*p, ::tlm::END_REQ);
            sc_core::wait(sc_time(5, SC_NS));
            memory.store.execute(*p);
            call(*p, ::tlm::BEGIN_RESP);
          }
        }
      }
      void call(Payload& p, Phase phase) {
        sc_time delay(2, SC_NS);
        memory.socket->nb_transport_bw(p, phase, delay);
      }
      Memory& memory;
      sc_core::sc_event event;
      std::deque<std::pair<Payload*, bool>> todo;
    } later(unique("later").c_str(), memory);
    memory.forward = [&](Payload& p, Phase& phase, sc_time& delay) {
      if (phase == ::tlm::END_RESP) return ::tlm::TLM_COMPLETED;
      switch (way++ % 5) {
        case 0:  // four phases
          later.todo.emplace_back(&p, true);
          later.event.notify(SC_ZERO_TIME);
          return ::tlm::TLM_ACCEPTED;
        case 1:  // without END_REQ
          later.todo.emplace_back(&p, false);
          later.event.notify(SC_ZERO_TIME);
          return ::tlm::TLM_ACCEPTED;
        case 2:  // END_REQ as return
          phase = ::tlm::END_REQ;
          delay = sc_time(3, SC_NS);
          later.todo.emplace_back(&p, false);
          later.event.notify(SC_ZERO_TIME);
          return ::tlm::TLM_UPDATED;
        case 3:  // BEGIN_RESP as return
          phase = ::tlm::BEGIN_RESP;
          delay = sc_time(9, SC_NS);
          memory.store.execute(p);
          return ::tlm::TLM_UPDATED;
        default:  // completed
          memory.store.execute(p);
          delay = sc_time(4, SC_NS);
          return ::tlm::TLM_COMPLETED;
      }
    };
    std::vector<unsigned char> data(30 * 16);
    Rng rng(1, "ways");
    for (auto& byte : data) byte = static_cast<unsigned char>(rng.below(256));
    system.initiators[0]->body = [&](Initiator&) {
      for (unsigned n = 0; n < 30; ++n) {
        sender.send(payloads.take(true, 16 * n, &data[16 * n], 16));
        sc_core::wait(sender.response);  // a target has one response at a time
      }
    };
    sc_core::sc_start(sc_time(10, sc_core::SC_US));
    EXPECT_EQ(sender.statuses.size(), 30U);
    EXPECT_TRUE(std::equal(data.begin(), data.end(), memory.store.bytes.begin()));
    system.expect_clean(payloads);
  }
}

class Order : public testing::TestWithParam<Reorder> {};

TEST_P(Order, OfResponsesIsTheOneThatIsAskedFor) {
  // Two targets, near and far, and four ids.
  Platform platform;
  platform.targets = {1, 15};
  platform.more = fmt::format("  reorder: {}\n", kReorders[static_cast<std::size_t>(GetParam())]);
  CheckedSystem system(platform, [](NetworkParts& parts) {
    parts.id_of = [](const Payload& p) { return static_cast<std::uint32_t>(p.get_address() >> 6 & 3); };
  });
  Sender sender(*system.initiators[0]);
  Payloads payloads;
  std::vector<unsigned char> data(64);
  std::vector<const Payload*> sent;
  system.initiators[0]->body = [&](Initiator&) {
    for (unsigned n = 0; n < 40; ++n) {
      Payload& p = payloads.take(false, (n * 7 % 3 == 0 ? 0x10000 : 0) + 64 * (n % 4), data.data(),
                                 n % 5 == 0 ? 64 : 4);
      p.acquire();  // so that no payload comes twice
      sent.push_back(&p);
      sender.send(p);
    }
  };
  sc_core::sc_start(sc_time(10, sc_core::SC_US));
  std::vector<const Payload*> answered;
  for (const auto& entry : sender.log)
    if (entry.what == 'r') answered.push_back(entry.payload);
  // Within a group the order is that of the requests; all together only where it is asked for.
  const auto group = [&](const Payload* p) -> std::uint64_t {
    switch (GetParam()) {
      case Reorder::kPerId:
        return p->get_address() >> 6 & 3;
      case Reorder::kBuffer:
        return 0;
      default:
        return p->get_address() >> 16;  // of a pair, by the fabric alone where there is no reordering
    }
  };
  std::map<std::uint64_t, std::vector<const Payload*>> wanted, found;
  for (const auto* p : sent) wanted[group(p)].push_back(p);
  for (const auto* p : answered) found[group(p)].push_back(p);
  EXPECT_EQ(found, wanted);
  EXPECT_EQ(answered == sent, GetParam() == Reorder::kBuffer);
  for (const auto* p : sent) const_cast<Payload*>(p)->release();
  system.expect_clean(payloads);
}

INSTANTIATE_TEST_SUITE_P(Every, Order,
                         testing::Values(Reorder::kNone, Reorder::kPerTarget, Reorder::kPerId,
                                         Reorder::kBuffer));

TEST(MaxOutstanding, BoundsWhatIsOpenAndEndReqWaitsForIt) {
  Platform platform;
  CheckedSystem system(platform,
                       [](NetworkParts& parts) { parts.settings.initiators[0].max_outstanding = 2; });
  Sender sender(*system.initiators[0]);
  sender.hold = true;
  Payloads payloads;
  std::vector<unsigned char> data(64);
  system.initiators[0]->body = [&](Initiator&) {
    for (int n = 0; n < 4; ++n) sender.send(payloads.take(false, 0, data.data(), 4));
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(std::ranges::count(sender.log, 'e', &Sender::Entry::what), 2);
  EXPECT_EQ(system.network->open(), 3U) << "two within the limit, and one without END_REQ";
  for (std::size_t n = 0; n < 4; ++n) {
    const auto last =
        std::find_if(sender.log.rbegin(), sender.log.rend(), [](const auto& e) { return e.what == 'r'; });
    auto& p = const_cast<Payload&>(*last->payload);
    EXPECT_EQ(system.initiators[0]->forward(p, ::tlm::END_RESP), ::tlm::TLM_COMPLETED);
    p.release();
    sc_core::sc_start(sc_time(500, SC_NS));
    EXPECT_EQ(std::ranges::count(sender.log, 'e', &Sender::Entry::what), std::min<std::ptrdiff_t>(4, 3 + n));
  }
  system.expect_clean(payloads);
}

}  // namespace
}  // namespace noctule::tlm::tlm_test
