// Do the interfaces do what the base protocol says: back-pressure, one request and one response at a time,
// early completion, statuses, addresses, order, reset?

#include "tlm/random_support.h"

namespace noctule::tlm::tlm_test {
namespace {

/// Sends nb transactions one after the other, as the base protocol allows, and collects their ends.
struct Sender {
  explicit Sender(Initiator& initiator) : initiator(initiator) {
    initiator.backward = [this](Payload& p, Phase& phase, sc_time& delay) {
      return backward(p, phase, delay);
    };
  }
  Sync backward(Payload& p, Phase& phase, sc_time&) {
    if (phase == ::tlm::END_REQ) {
      log.push_back({'e', &p, sc_core::sc_time_stamp()});
      request_over.notify(SC_ZERO_TIME);
      return ::tlm::TLM_ACCEPTED;
    }
    log.push_back({'r', &p, sc_core::sc_time_stamp()});
    statuses.push_back(p.get_response_status());
    response.notify(SC_ZERO_TIME);
    if (hold) return ::tlm::TLM_ACCEPTED;
    p.release();
    return ::tlm::TLM_COMPLETED;
  }
  /// Waits for END_REQ.
  void send(Payload& p) {
    if (initiator.forward(p, ::tlm::BEGIN_REQ) == ::tlm::TLM_ACCEPTED) sc_core::wait(request_over);
  }
  struct Entry {
    char what;
    const Payload* payload;
    sc_time at;
  };
  Initiator& initiator;
  sc_core::sc_event request_over, response;
  std::vector<Entry> log;
  std::vector<::tlm::tlm_response_status> statuses;
  bool hold = false;  ///< END_RESP comes later
};

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

TEST(AnAddress, IsThatOfTheTargetThereAndTheInitiatorsAfterwards) {
  Platform platform;
  platform.targets = {15, 12};
  platform.map =
      "  map:\n    - {base: 0x8000_0000, size: 4KiB, target: t1, offset: 0x100}\n"
      "    - {base: 0x1000, size: 1KiB, interleave: {granule: 64, over: [t0, t1]}}\n";
  CheckedSystem system(platform);
  std::vector<std::uint64_t> seen;
  for (auto& memory : system.memories)
    memory->seen = [&](Payload& p) {
      seen.push_back(p.get_address());
      EXPECT_EQ(p.get_response_status(), ::tlm::TLM_INCOMPLETE_RESPONSE);
    };
  std::vector<unsigned char> data(8);
  system.initiators[0]->body = [&](Initiator& initiator) {
    for (const std::uint64_t address : {0x80000010ULL, 0x1000ULL, 0x1048ULL, 0x1080ULL}) {
      Payload p;
      Payloads::fill(p, true, address, data.data(), 8);
      sc_time delay(5, SC_NS);
      initiator.socket->b_transport(p, delay);
      EXPECT_EQ(p.get_address(), address);
      EXPECT_EQ(p.get_response_status(), ::tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(delay, SC_ZERO_TIME);
      EXPECT_FALSE(p.is_dmi_allowed());
    }
  };
  sc_core::sc_start(sc_time(10, sc_core::SC_US));
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{0x110, 0, 8, 0x40}));
  Payloads none;
  system.expect_clean(none);
}

TEST(AnAnnotatedDelay, IsWaitedFor) {
  CheckedSystem system(Platform{});
  std::vector<unsigned char> data(8);
  sc_time without, with;
  system.initiators[0]->body = [&](Initiator& initiator) {
    for (const double ns : {0.0, 25.0}) {
      Payload p;
      Payloads::fill(p, true, 0, data.data(), 8);
      sc_time delay(ns, SC_NS);
      const sc_time before = sc_core::sc_time_stamp();
      initiator.socket->b_transport(p, delay);
      (ns == 0 ? without : with) = sc_core::sc_time_stamp() - before;
      EXPECT_EQ(delay, SC_ZERO_TIME);
    }
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(with, without + sc_time(25, SC_NS));
}

TEST(AKeptDelay, ComesBackAsItWas) {
  Platform platform;
  platform.more = "  return_delay: keep\n";
  CheckedSystem system(platform);
  std::vector<unsigned char> data(8);
  system.initiators[0]->body = [&](Initiator& initiator) {
    Payload p;
    Payloads::fill(p, true, 0, data.data(), 8);
    sc_time delay(25, SC_NS);
    initiator.socket->b_transport(p, delay);
    EXPECT_EQ(delay, sc_time(25, SC_NS));
    EXPECT_GT(sc_core::sc_time_stamp(), sc_time(10, SC_NS));
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  Payloads none;
  system.expect_clean(none);
}

TEST(AReleasedPayload, CanBeSentAgainWithinTheCallThatFreesIt) {
  CheckedSystem system(Platform{});
  struct AtOnce final : ::tlm::tlm_mm_interface {
    void free(Payload* p) override {
      p->reset();
      if (again) again(*p);
    }
    std::function<void(Payload&)> again;
  } manager;
  Payload p(&manager);
  unsigned char data[4] = {};
  int rounds = 0;
  Initiator& initiator = *system.initiators[0];
  const auto send = [&](Payload& payload) {
    if (rounds++ == 5) return;
    Payloads::fill(payload, true, 0, data, 4);
    payload.acquire();
    EXPECT_EQ(initiator.forward(payload, ::tlm::BEGIN_REQ), ::tlm::TLM_ACCEPTED);
  };
  manager.again = send;
  sc_core::sc_event response;
  initiator.backward = [&](Payload& payload, Phase& phase, sc_time&) {
    if (phase == ::tlm::END_REQ) return ::tlm::TLM_ACCEPTED;
    payload.release();  // the network still holds it
    response.notify(SC_ZERO_TIME);
    return ::tlm::TLM_ACCEPTED;
  };
  initiator.body = [&](Initiator&) {
    send(p);
    for (int n = 0; n < 5; ++n) {
      sc_core::wait(response);
      EXPECT_EQ(initiator.forward(p, ::tlm::END_RESP), ::tlm::TLM_COMPLETED);
    }
  };
  sc_core::sc_start(sc_time(2, sc_core::SC_US));
  EXPECT_EQ(rounds, 6);
  Payloads none;
  system.expect_clean(none);
}

TEST(ATransaction, ThatNobodyServesEndsWithoutAFlit) {
  Platform platform;
  platform.more = "  split: false\n";
  platform.targets = {15, 12};
  CheckedSystem system(platform);
  std::vector<unsigned char> data(32);
  Sender sender(*system.initiators[0]);
  Payloads payloads;
  system.initiators[0]->body = [&](Initiator& initiator) {
    EXPECT_EQ(initiator.access(true, 0x20000, data.data(), 4), ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(initiator.access(true, 0x1fffe, data.data(), 4), ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(initiator.access(true, 0xfffe, data.data(), 4), ::tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(sc_core::sc_time_stamp(), SC_ZERO_TIME);
    sender.send(payloads.take(false, 0x20000, data.data(), 4));
    sc_core::wait(sender.response);
  };
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(sender.statuses, std::vector{::tlm::TLM_ADDRESS_ERROR_RESPONSE});
  EXPECT_EQ(system.network->counters().packets, 0U);
  EXPECT_EQ(system.network->counters().refused, 4U);
  EXPECT_EQ(system.target_checkers[0]->rules().calls(), 0U);
  system.expect_clean(payloads);
}

TEST(ACutTransaction, MovesAllItsBytesAndHasTheWorstStatus) {
  Platform platform;
  platform.targets = {15, 12, 3};
  platform.map =
      "  map:\n    - {base: 0, size: 3KiB, interleave: {granule: 16, over: [t0, t1, t2]}}\n"
      "    - {base: 0xc00, size: 1KiB, target: t2, offset: 0xff00}\n";
  CheckedSystem system(platform);
  std::vector<unsigned char> data(1000), back(1000), enables{0xff, 0, 0xff, 0xff, 0};
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * 7 + 1);
  system.initiators[0]->body = [&](Initiator& initiator) {
    EXPECT_EQ(initiator.access(true, 5, data.data(), 1000), ::tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(initiator.access(false, 5, back.data(), 1000), ::tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(data, back);
    // Byte enables keep their phase from part to part.
    std::fill(back.begin(), back.end(), 0xee);
    Payload p;
    Payloads::fill(p, false, 5, back.data(), 1000);
    p.set_byte_enable_ptr(enables.data());
    p.set_byte_enable_length(5);
    sc_time delay;
    initiator.socket->b_transport(p, delay);
    for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(back[i], enables[i % 5] != 0 ? data[i] : 0xee) << i;
    // 0xff00 + 0x100 is past the end of the third memory.
    EXPECT_EQ(initiator.access(true, 0xc00 - 16, data.data(), 300), ::tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(initiator.access(true, 0xc00 - 16, data.data(), 200), ::tlm::TLM_OK_RESPONSE);
  };
  sc_core::sc_start(sc_time(100, sc_core::SC_US));
  EXPECT_GT(system.memories[0]->transactions, 20U);
  Payloads none;
  system.expect_clean(none);
}

TEST(AReset, EndsEveryTransactionAndLeaksNone) {
  Platform platform;
  platform.initiators = {0, 5};
  platform.targets = {15, 10};
  CheckedSystem system(platform);
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  system.network->rst_ni(rst_n);
  Payloads payloads;
  std::deque<Sender> senders;
  for (auto& initiator : system.initiators) senders.emplace_back(*initiator);
  // Both memories take their time; by nb_transport they answer with an annotation.
  for (auto& memory : system.memories) {
    memory->latency = sc_time(20, SC_NS);
    memory->waits = true;
  }
  std::vector<unsigned char> data(4096);
  unsigned errors = 0;
  unsigned done = 0;
  const auto body = [&](unsigned i) {
    return [&, i](Initiator& initiator) {
      for (unsigned n = 0; n < 300; ++n) {
        if (i == 0) {
          const auto status =
              initiator.access(n % 2 == 0, (n % 2) * 0x10000 + 64 * (n % 8), &data[64 * (n % 8)], 64);
          if (status == ::tlm::TLM_GENERIC_ERROR_RESPONSE) {
            ++errors;
            sc_core::wait(sc_time(10, SC_NS));
          }
          ++done;
        } else {
          senders[1].send(payloads.take(n % 2 == 0, (n % 2) * 0x10000, &data[2048], 64));
          if (!rst_n.read()) sc_core::wait(sc_time(10, SC_NS));
        }
      }
    };
  };
  for (unsigned i = 0; i < 2; ++i) system.initiators[i]->body = body(i);
  for (int n = 0; n < 30; ++n) {
    sc_core::sc_start(sc_time(173 + 13 * n, SC_NS));
    rst_n.write(false);
    sc_core::sc_start(sc_time(3 + n % 5, SC_NS));
    rst_n.write(true);
  }
  sc_core::sc_start(sc_time(100, sc_core::SC_US));
  EXPECT_EQ(done, 300U);
  EXPECT_EQ(senders[1].statuses.size(), 300U);
  EXPECT_GT(errors, 10U);
  EXPECT_LT(errors, 200U);
  EXPECT_GT(std::ranges::count(senders[1].statuses, ::tlm::TLM_GENERIC_ERROR_RESPONSE), 10);
  EXPECT_EQ(system.network->counters().failed,
            errors + static_cast<unsigned>(
                         std::ranges::count(senders[1].statuses, ::tlm::TLM_GENERIC_ERROR_RESPONSE)));
  system.expect_clean(payloads);
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
