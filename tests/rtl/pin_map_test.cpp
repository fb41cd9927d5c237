// Are the pins those of rtl/README.md, for every node model; and does a flit survive the way onto them?

#include "rtl/pin_map.h"
#include "core/json.h"

#include <gtest/gtest.h>

#include <map>

#include "rtl/rtl_support.h"

namespace noctule {
namespace {

using rtl_test::plan_of;
using rtl_test::Setting;

std::map<std::string, unsigned> widths(const std::vector<Pin>& pins) {
  std::map<std::string, unsigned> widths;
  for (const Pin& pin : pins) widths[pin.name] = pin.width;
  EXPECT_EQ(widths.size(), pins.size()) << "a name twice";
  return widths;
}

TEST(PinMap, HasTheWidthsOfTheTable) {
  const auto vcs = [](const Setting& setting, const std::string& pin) {
    const FabricPlan plan = plan_of(setting);
    const PinMap map(plan, RouterId{0});
    auto all = widths(map.inputs());
    all.merge(widths(map.outputs()));
    return all.count(pin) == 0 ? 0 : all.at(pin);
  };
  EXPECT_EQ(vcs(rtl_test::star_channels(), "x_plus_vc_i"), 4U);
  EXPECT_EQ(vcs(rtl_test::star_channels(), "y_minus_vc_o"), 6U);
  EXPECT_EQ(vcs(rtl_test::star_channels(), "injection_vc_i"), 0U);
  EXPECT_EQ(vcs(rtl_test::four_classes(5), "y_plus_credit_o"), 4U);
  EXPECT_EQ(vcs(rtl_test::linder_harden(), "x_minus_credit_i"), 6U);
  EXPECT_EQ(vcs(rtl_test::linder_harden(), "y_minus_vc_i"), 3U);
  EXPECT_EQ(vcs(rtl_test::oblivious(), "x_minus_1_vc_o"), 4U);
  EXPECT_EQ(vcs(rtl_test::oblivious(), "x_plus_vc_o"), 0U);
  EXPECT_EQ(vcs(rtl_test::input_queued(), "injection_vc_i"), 4U);
  EXPECT_EQ(vcs(rtl_test::input_queued(), "consumption_vc_o"), 4U);
  for (const char* pin : {"x_i", "y_i", "last_x_i", "last_y_i"})
    EXPECT_EQ(vcs(rtl_test::star_channels(), pin), 5U) << pin;
}

TEST(PinMap, GivesEveryChannelOfThePlanABitOfItsOwn) {
  for (const Setting& setting :
       {rtl_test::star_channels(6), rtl_test::four_classes(5), rtl_test::linder_harden(5),
        rtl_test::oblivious(), rtl_test::input_queued()}) {
    const FabricPlan plan = plan_of(setting);
    const PinMap map(plan, RouterId{0});
    for (const auto& router : plan.routers) {
      const RouterPins pins(map, *router);
      std::set<std::pair<const LinkPins*, unsigned>> taken;
      for (std::size_t i = 0; i < router->inputs.size(); ++i)
        EXPECT_TRUE(taken.emplace(pins.input[i], pins.input_bit[i]).second) << router->inputs[i].name;
      for (std::size_t i = 0; i < router->link_inputs(); ++i) {
        const auto link = static_cast<std::size_t>(pins.input[i] - map.inbound().data());
        EXPECT_EQ(pins.input_at[link][pins.input_bit[i]], i);
      }
    }
  }
}

TEST(PinMap, PutsThePositionOnThePinsAtRest) {
  const FabricPlan plan = plan_of(rtl_test::star_channels(4));
  const PinMap map(plan, RouterId{0});
  const auto in = map.at_rest(RouterId{7});  // (3,1) of 4x4
  EXPECT_EQ(std::vector<std::uint64_t>(in.begin(), in.begin() + 4), (std::vector<std::uint64_t>{3, 1, 3, 3}));
  EXPECT_EQ(in[map.consumption().credit], 1U);
}

TEST(FlitFormat, IsTakenApartAsItWasPutTogether) {
  const FabricPlan plan = plan_of(rtl_test::four_classes(5));
  const FlitFormat format(plan);
  Packet packet;
  packet.destination_router = RouterId{13};  // (3,2)
  packet.route_state = 5;
  const PacketHandle handle{0xdeadbeef};
  const auto header = format.encode(Flit::of(handle, 0, 3), packet);
  EXPECT_TRUE(format.head(header));
  EXPECT_FALSE(format.tail(header));
  EXPECT_EQ(format.packet(header), handle);
  EXPECT_EQ(format.destination(header, 0), 3U);
  EXPECT_EQ(format.destination(header, 1), 2U);
  EXPECT_EQ(format.state(header), 5U);
  EXPECT_EQ(format.state(format.with_state(header, 2)), 2U);
  EXPECT_EQ(format.with_state(format.with_state(header, 2), 5), header);
  const auto tail = format.encode(Flit::of(handle, 2, 3), packet);
  EXPECT_FALSE(format.head(tail));
  EXPECT_TRUE(format.tail(tail));
  EXPECT_EQ(format.packet(tail), handle);
  EXPECT_NE(format.encode(Flit::of(handle, 1, 3), packet), tail);
  EXPECT_EQ(format.describe(header), "head of packet 0xdeadbeef to (3,2), state 5");
  EXPECT_EQ(format.describe(tail), "tail of packet 0xdeadbeef, flit 2");
}

TEST(FlitFormat, RefusesWhatHasNoPlaceInAFlit) {
  const auto key = [](const FabricPlan& plan) {
    try {
      const FlitFormat format(plan);
      return std::string("none");
    } catch (const ConfigError& error) {
      return error.diagnostics().front().key;
    }
  };
  EXPECT_EQ(key(plan_of({"generic", Json::object(), {2, 2, 2, 2, 2, 2}, false, {}, Json::object()})),
            "topology.radix");
}

}  // namespace
}  // namespace noctule
