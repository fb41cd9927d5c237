// Is what a run records deterministic, complete and without effect on the run? Does it survive bad input?

#include <cstring>
#include <stdexcept>

#include "support/vcd_reader.h"
#include "trace/trace_support.h"
#include "trace/vcd_writer.h"

namespace noctule::trace_test {
namespace {

using Session = TraceTest;

TEST_F(Session, ChangesNothingInTheRun) {
  const auto p = plan(4, true, "star_channels");
  Fabric plain("plain", p, {});
  Fabric traced("traced", p, observed());
  plain.attach(random_packets(16, 20, 10, 4));
  traced.attach(random_packets(16, 20, 10, 4));
  TraceSession session({file("a.vcd"), file("a.gtkw"), file("e.csv"), {"*"}, {}}, traced);
  run(400);
  session.close();
  EXPECT_GT(plain.counters().packets_delivered, 200U);
  EXPECT_EQ(plain.digest(), traced.digest());
  EXPECT_EQ(plain.counters().flit_hops, traced.counters().flit_hops);
}

/// The text without the fabric's name.
std::string anonymous(std::string text, const std::string& name) {
  const auto at = text.find("$scope module " + name + " ");
  EXPECT_NE(at, text.npos);
  return text.replace(at, name.size() + 15, "");
}

class AnyOrder : public TraceTest, public testing::WithParamInterface<unsigned> {};

TEST_P(AnyOrder, OfEvaluationAndConstructionWritesTheSameFiles) {
  NodeDescription node;
  node.input_depth = GetParam();
  const auto p = plan(4, true, "star_channels", node);
  std::vector<std::unique_ptr<Fabric>> fabrics;
  std::vector<std::unique_ptr<TraceSession>> sessions;
  for (const std::uint64_t order : {0U, 3U, 8U}) {
    auto options = observed();
    options.order_seed = order;
    options.construction_seed = order;
    const std::string name = "f" + std::to_string(order);
    fabrics.push_back(std::make_unique<Fabric>(name.c_str(), p, options));
    fabrics.back()->attach(random_packets(16, 12, 10, 4));
    sessions.push_back(std::make_unique<TraceSession>(
        TraceOptions{file(name + ".vcd"), "", file(name + ".csv"), {"*"}, {}}, *fabrics.back()));
  }
  run(300);
  for (auto& session : sessions) session->close();
  EXPECT_GT(read_events(file("f0.csv")).size(), 1000U);
  for (const std::string name : {"f3", "f8"}) {
    EXPECT_TRUE(text_of(file("f0.csv")) == text_of(file(name + ".csv")));
    EXPECT_TRUE(anonymous(text_of(file("f0.vcd")), "f0") == anonymous(text_of(file(name + ".vcd")), name));
  }
}
INSTANTIATE_TEST_SUITE_P(Depths, AnyOrder, testing::Values(1U, 3U));

TEST_F(Session, EventsAreOrderedAndNamedAsThePlanNamesThem) {
  auto options = observed();
  options.discard = true;
  Fabric fabric("fabric", plan(4, true, "star_channels"), options);
  auto source = std::make_shared<ListSource>();
  source->add(3, 0, 1, 2);
  source->add(4, 0, 2, 1);  // while the first one is being injected
  fabric.attach(source);
  TraceSession session({"", "", file("e.csv"), {}, {}}, fabric);
  run(50);
  session.close();
  std::string text = text_of(file("e.csv"));
  const std::string vc = fabric.plan().routers[0]->outputs[0].name;  // only to find its class
  EXPECT_TRUE(vc.starts_with("x_plus."));
  for (const auto& e : read_events(file("e.csv")))
    EXPECT_TRUE(e.port != "x_plus" || e.vc == "star0" || e.vc == "nonstar") << e.vc;
  for (const char* name : {",x_plus,star0,", ",x_plus,nonstar,"})
    for (auto at = text.find(name); at != text.npos; at = text.find(name))
      text.replace(at, strlen(name), ",x_plus,?,");
  EXPECT_EQ(text,
            "cycle,router,port,vc,event,packet,flit,source,destination\n"
            "3,router_0_0,injection,0,generate,0:0,0,0,1\n"
            "3,router_0_0,injection,0,inject,0:0,0,0,1\n"
            "4,router_0_0,injection,0,discard,0:1,0,0,2\n"
            "4,router_0_0,x_plus,?,grant,0:0,0,0,1\n"
            "4,router_0_0,x_plus,?,cross,0:0,0,0,1\n"
            "5,router_0_0,injection,0,inject,0:0,1,0,1\n"
            "5,router_0_0,x_plus,?,link,0:0,0,0,1\n"
            "6,router_0_0,x_plus,?,cross,0:0,1,0,1\n"
            "6,router_1_0,consumption,0,grant,0:0,0,0,1\n"
            "6,router_1_0,consumption,0,cross,0:0,0,0,1\n"
            "7,router_0_0,x_plus,?,link,0:0,1,0,1\n"
            "7,router_1_0,consumption,0,consume,0:0,0,0,1\n"
            "8,router_1_0,consumption,0,cross,0:0,1,0,1\n"
            "9,router_1_0,consumption,0,consume,0:0,1,0,1\n");
}

TEST_F(Session, WindowsOfTheEventLogHoldTheEventsOfTheirCycles) {
  Fabric fabric("fabric", plan(4, true, "star_channels"), observed());
  fabric.attach(random_packets(16, 10, 10, 4));
  EventLog whole(file("a.csv"), fabric.plan(), {});
  EventLog part(file("b.csv"), fabric.plan(), {50, 30});
  ObserverList both;
  both.add(whole);
  both.add(part);
  fabric.observe(both);
  run(200);
  whole.close();
  part.close();
  std::vector<std::string> expected, shown;
  const auto line = [](const Event& e) {
    return std::to_string(e.cycle) + e.router + e.port + e.vc + e.event + e.packet + std::to_string(e.flit);
  };
  for (const auto& e : read_events(file("a.csv")))
    if (e.cycle >= 50 && e.cycle < 80) expected.push_back(line(e));
  for (const auto& e : read_events(file("b.csv"))) shown.push_back(line(e));
  EXPECT_GT(shown.size(), 100U);
  EXPECT_EQ(shown, expected);
}

TEST_F(Session, ThatIsDroppedLeavesWholeFiles) {
  Fabric fabric("fabric", plan(4, true, "star_channels"), observed());
  fabric.attach(random_packets(16, 40, 8, 4));
  {
    TraceSession session({file("a.vcd"), "", file("e.csv"), {"*"}, {}}, fabric);
    run(77);
  }
  const test::VcdFile vcd(file("a.vcd"));
  EXPECT_EQ(vcd.end(), 77U);
  const auto events = read_events(file("e.csv"));
  EXPECT_EQ(events.back().cycle, 76U);
  EXPECT_EQ(text_of(file("e.csv")).back(), '\n');
}

/// Fails when it is asked for its fourth packet, in the middle of the cycle of the third.
class FailingSource final : public TrafficSource {
 public:
  std::optional<GeneratedPacket> next(TerminalId source, std::uint64_t number) override {
    if (index(source) != 0) return std::nullopt;
    if (number == 3) throw std::runtime_error("the source is broken");
    GeneratedPacket packet;
    packet.birth = 10 * (number + 1);
    packet.destination = TerminalId{5};
    packet.length = 8;
    return packet;
  }
};

TEST_F(Session, OfARunThatFailsShowsTheCycleOfTheFailure) {
  Fabric fabric("fabric", plan(4, true, "dimension_order"), observed());
  fabric.attach(std::make_shared<FailingSource>());
  TraceSession session({file("a.vcd"), "", file("e.csv"), {"*"}, {}}, fabric);
  EXPECT_ANY_THROW(run(100));
  session.close();
  const test::VcdFile vcd(file("a.vcd"));
  EXPECT_EQ(vcd.end(), 31U);
  const auto generate = vcd["fabric.router_0_0.injection.generate"].dense(0, 31);
  for (Cycle t = 0; t < 31; ++t) EXPECT_EQ(generate[t], t == 10 || t == 20 || t == 30 ? 1U : 0U) << t;
  EXPECT_EQ(read_events(file("e.csv")).back().cycle, 30U);
}

TEST_F(Session, ShowsAReset) {
  sc_core::sc_signal<bool> reset("reset", true);
  Fabric fabric("fabric", plan(4, true, "star_channels"), observed());
  fabric.rst_ni.bind(reset);
  fabric.attach(random_packets(16, 40, 6, 4));
  TraceSession session({file("a.vcd"), "", "", {"*"}, {}}, fabric);
  run(60);
  reset.write(false);
  run(4);
  reset.write(true);
  run(36);
  session.close();
  const test::VcdFile vcd(file("a.vcd"));
  std::vector<unsigned> full(100);
  for (const auto& [name, signal] : vcd.signals) {
    if (name.ends_with(".flit_valid"))
      for (Cycle t = 0; t < 100; ++t) full[t] += static_cast<unsigned>(*signal.at(t));
    if (name.ends_with(".credits")) {
      EXPECT_EQ(signal.at(62), 1U) << name;
    }
    if (name.ends_with(".state")) {
      EXPECT_EQ(signal.at(62), 0U) << name;
    }
  }
  EXPECT_GT(full[60], 10U);
  EXPECT_EQ(full[61], 0U);
  EXPECT_EQ(full[63], 0U);
  EXPECT_GT(full[90], 10U);
}

/// The message of the ConfigError that f throws.
template <class F>
std::string complaint(F&& f) {
  try {
    f();
  } catch (const ConfigError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST_F(Session, NamesFilesThatCannotBeWritten) {
  Fabric fabric("fabric", plan(3, false, "dimension_order"), observed());
  fabric.attach(random_packets(9, 5, 8, 4));
  const std::string nowhere = file("no/such/folder/x");
  EXPECT_NE(complaint([&] {
              TraceSession({nowhere, "", "", {"*"}, {}}, fabric);
            }).find(nowhere),
            std::string::npos);
  EXPECT_NE(complaint([&] {
              TraceSession({"", "", nowhere, {"*"}, {}}, fabric);
            }).find(nowhere),
            std::string::npos);
  const auto gtkw = [&] { TraceSession({file("a.vcd"), nowhere, "", {"*"}, {}}, fabric); };
  EXPECT_NE(complaint(gtkw).find(nowhere), std::string::npos);
  complaint([&] { TraceSession({"", file("a.gtkw"), "", {"*"}, {}}, fabric); });
  complaint([&] { TraceSession({file("a.vcd"), "", "", {"*"}, {3, 0}}, fabric); });
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full to write to";
  TraceSession session({"/dev/full", "", "", {"*"}, {}}, fabric);
  run(50);  // undisturbed
  EXPECT_NE(complaint([&] { session.close(); }).find("'/dev/full'"), std::string::npos);
}

TEST_F(Session, ValueChangeDumpIsExactlyThis) {
  VcdWriter vcd(file("a.vcd"), "1 ns", 2);
  const auto a = vcd.add("top.one", "a", 1, VcdWriter::Kind::kWire);
  const auto b = vcd.add("top.two", "b", 5, VcdWriter::Kind::kReg);
  const auto c = vcd.add("top.two.in", "c", 3, VcdWriter::Kind::kReg);
  vcd.end_definitions();
  vcd.begin(4);
  vcd.set(a, 1);
  vcd.set(b, 9);
  vcd.set(VcdWriter::kNone, 3);
  vcd.begin(5);
  vcd.set(b, 9);  // no change, no time
  vcd.begin(6);
  vcd.set(b, VcdWriter::kUndriven);
  vcd.set(a, 0);
  vcd.set(c, 0);
  vcd.finish(9);
  vcd.close();
  EXPECT_EQ(text_of(file("a.vcd")), std::string("$version noctule ") + NOCTULE_VERSION +
                                        " $end\n$timescale 1 ns $end\n$scope module top $end\n"
                                        "$scope module one $end\n$var wire 1 ! a $end\n$upscope $end\n"
                                        "$scope module two $end\n$var reg 5 \" b [4:0] $end\n"
                                        "$scope module in $end\n$var reg 3 # c [2:0] $end\n$upscope $end\n"
                                        "$upscope $end\n$upscope $end\n$enddefinitions $end\n"
                                        "#8\n$dumpvars\n1!\nb1001 \"\nbz #\n$end\n"
                                        "#12\nbz \"\n0!\nb0 #\n#18\n");
}

}  // namespace
}  // namespace noctule::trace_test
