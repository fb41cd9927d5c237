// Are a router's ports read, held against the interface, and driven by name? (The compiler's part is in
// tests/cosim.)

#include "rtl/dut_shim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rtl/rtl_support.h"

namespace noctule {
namespace {

using testing::HasSubstr;

class Ports : public testing::Test {
 protected:
  Ports() {
    ports_["clk_i"] = {1, true};
    ports_["rst_ni"] = {1, true};
    for (const Pin& pin : map_.inputs()) ports_[pin.name] = {pin.width, true};
    for (const Pin& pin : map_.outputs()) ports_[pin.name] = {pin.width, false};
  }
  std::string complaint() {
    try {
      check_ports(ports_, map_, "mine");
      return {};
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.diagnostics().size(), 2U);
      EXPECT_THAT(error.diagnostics().back().message, HasSubstr("--pins")) << "the remedy comes last";
      return error.what();
    }
  }
  FabricPlan plan_ = rtl_test::plan_of(rtl_test::star_channels());
  PinMap map_{plan_, RouterId{0}};
  PortList ports_;
};

TEST_F(Ports, OfTheInterfaceAreTaken) {
  EXPECT_EQ(complaint(), "");
}

TEST_F(Ports, MayLackThePosition) {
  for (const char* pin : {"x_i", "y_i", "last_x_i", "last_y_i"}) ports_.erase(pin);
  EXPECT_EQ(complaint(), "");
  EXPECT_THAT(make_shim(ports_, map_, {}, false),
              HasSubstr("absent[] = {\"x_i\", \"y_i\", \"last_x_i\", \"last_y_i\""));
  EXPECT_THAT(make_harness(ports_, map_, "mine", {}), testing::Not(HasSubstr("always_ff")));
}

TEST_F(Ports, ThatAreMissingAreNamed) {
  ports_.erase("y_plus_credit_o");
  EXPECT_THAT(complaint(), HasSubstr("output y_plus_credit_o of 6 bit(s) is missing"));
}

TEST_F(Ports, OfAnotherWidthAreNamed) {
  ports_["x_plus_flit_i"].width = 18;
  EXPECT_THAT(complaint(), HasSubstr("x_plus_flit_i has 18 bit(s), 47 are needed here"));
}

TEST_F(Ports, OfOneVcEachAreOneFaultWithItsCause) {
  std::size_t narrow = 0;
  for (auto& [name, port] : ports_)
    if (!name.starts_with("injection") && !name.starts_with("consumption") &&
        (name.find("_vc_") != std::string::npos || name.find("_credit_") != std::string::npos)) {
      port.width = 1;
      ++narrow;
    }
  ASSERT_EQ(narrow, 16U);
  const auto text = complaint();
  EXPECT_THAT(text, HasSubstr("_i has 1 bit(s), 4 are needed here, and 15 more are so; one bit for each VC"));
  EXPECT_THAT(text, HasSubstr("node.lanes, "));
}

TEST_F(Ports, ThatAreMissingAreCounted) {
  for (const char* pin : {"x_plus_vc_o", "y_plus_vc_o", "y_minus_vc_o"}) ports_.erase(pin);
  EXPECT_THAT(complaint(), HasSubstr("of 4 bit(s) is missing, and 2 more are so"));
}

TEST_F(Ports, TheWrongWayRoundAreNamed) {
  ports_["x_plus_valid_o"].input = true;
  EXPECT_THAT(complaint(), HasSubstr("x_plus_valid_o has to be an output"));
}

TEST_F(Ports, OfBothWaysAreNamed) {
  ports_["x_plus_valid_o"].both = true;
  EXPECT_THAT(complaint(), HasSubstr("x_plus_valid_o has to be an output"));
  ports_["x_plus_valid_o"].both = false;
  ports_["bus_io"] = {4, false, true};
  EXPECT_THAT(complaint(), HasSubstr("inout bus_io is not one of the interface"));
}

TEST_F(Ports, ThatNothingWouldDriveAreNamed) {
  ports_["test_en_i"] = {1, true};
  EXPECT_THAT(complaint(), HasSubstr("input test_en_i is not one of the interface"));
}

TEST_F(Ports, AreOutputsBesideThoseOfTheInterfaceAsTheRouterLikes) {
  ports_["debug_o"] = {7, false};
  EXPECT_EQ(complaint(), "");
}

TEST(PortList, IsReadFromTheHeaderOfTheVerilatedClass) {
  const auto ports = parse_ports(R"(
    VL_IN8(&clk_i,0,0);
    VL_IN64(&x_plus_flit_i,47,0);
    VL_OUT16(&bits_o,11,2);
    VL_OUTW(&wide_o,79,0,3);
    VL_IN(&word_i,31,0);
    VL_INOUT8(&both_io,3,0);
    VL_OUT8((&array_o)[4],2,0);
    VL_INLINE(&none,3,0); VL_IN9(&none,3,0); VL_IN8(&none,x,0); VL_IN8(&none,3
    /* VL_IN8 without an argument */ VL_IN8(&none,)");
  ASSERT_EQ(ports.size(), 7U);
  EXPECT_TRUE(ports.at("array_o").array && !ports.at("word_i").array);
  EXPECT_EQ(ports.at("array_o").width, 3U);
  EXPECT_EQ(ports.at("word_i").width, 32U);
  EXPECT_FALSE(ports.at("both_io").input);
  EXPECT_TRUE(ports.at("both_io").both && !ports.at("bits_o").both);
  EXPECT_EQ(ports.at("clk_i").width, 1U);
  EXPECT_EQ(ports.at("x_plus_flit_i").width, 48U);
  EXPECT_TRUE(ports.at("x_plus_flit_i").input);
  EXPECT_EQ(ports.at("bits_o").width, 10U);
  EXPECT_FALSE(ports.at("wide_o").input);
}

TEST_F(Ports, OfTheHarnessLoadThePositionInReset) {
  const auto text = make_harness(ports_, map_, "mine", {{"CoordW", 5}, {"DataW", 45}});
  EXPECT_THAT(text, HasSubstr("mine #(.CoordW(5), .DataW(45)) u_mine ("));
  EXPECT_THAT(text, HasSubstr("if (!rst_ni) begin\n      x_i_q <= x_i;"));
  EXPECT_THAT(text, HasSubstr(".last_y_i(last_y_i_q)"));
  EXPECT_THAT(text, HasSubstr(".y_plus_vc_o(y_plus_vc_o)"));
}

}  // namespace
}  // namespace noctule
