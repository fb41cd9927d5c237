// Is what a router keeps found in the headers that Verilator writes? And are toggles counted bit by bit?

#include "rtl/verilated_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rtl/toggles.h"

namespace noctule {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const char* const kRoot = R"(
class Vdut__Syms;
class Vdut_fifo;
class Vdut___024root final : public VerilatedModule {
  public:
    // CELLS
    Vdut_fifo* __PVT__harness__DOT__u_fifo;

    // DESIGN SPECIFIC STATE
    struct {
        VL_IN8(clk_i,0,0);
        CData/*0:0*/ harness__DOT__gen__BRA__3__KET____DOT__full_q;
        CData/*5:0*/ harness__DOT____Vcellinp__u_x__select_i;
        QData/*46:0*/ harness__DOT__flit_q;
    };
    VlWide<3>/*79:0*/ harness__DOT__wide_q;
    VlUnpacked<CData/*3:0*/, 16> harness__DOT__memory_q;
    CData/*0:0*/ __Vtrigrprev__TOP__clk_i;
    VlTriggerVec<2> __VactTriggered;
    std::string harness__DOT__name;
    Vdut__Syms* const vlSymsp;

    // CONSTRUCTORS
    CData/*0:0*/ not_a_member;
};
)";

TEST(VerilatedState, IsWhatTheDesignHoldsAndNotWhatVerilatorAdds) {
  const auto classes = parse_state({kRoot,
                                    "class Vdut_fifo final : public VerilatedModule {\n"
                                    "    IData/*7:0*/ __PVT__count_q;\n"});
  ASSERT_EQ(classes.size(), 2U);
  const VerilatedClass& root = classes.at("Vdut___024root");
  std::vector<std::string> paths;
  std::vector<unsigned> widths;
  for (const auto& signal : root.signals) {
    paths.push_back(signal.path);
    widths.push_back(signal.width);
  }
  EXPECT_THAT(paths,
              ElementsAre("harness.gen[3].full_q", "harness.flit_q", "harness.wide_q", "harness.memory_q"));
  EXPECT_THAT(widths, ElementsAre(1U, 47U, 80U, 4U));
  ASSERT_EQ(root.children.size(), 1U);
  EXPECT_EQ(root.children[0].type, "Vdut_fifo");
  const std::string text = make_layout(classes);
  EXPECT_THAT(text, HasSubstr("{\"harness.flit_q\", offsetof(Vdut___024root, harness__DOT__flit_q), "));
  EXPECT_THAT(text, HasSubstr("{\"harness.u_fifo.\", offsetof(Vdut___024root, __PVT__harness__DOT__u_fifo), "
                              "&layout_Vdut_fifo}"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "sizeof(Vdut_fifo::__PVT__count_q), Element<decltype(Vdut_fifo::__PVT__count_q)>::bytes, 8}"));
  EXPECT_THAT(text, Not(HasSubstr("__Vcellinp")));
}

TEST(Toggles, NameTheBitsThatHaveNotBeenBoth) {
  Toggles toggles;
  toggles.add("full_q", 0, 1, 1, 1);
  toggles.add("flit", 0, 8, 0b1111'0110, 0b0111'1111);
  toggles.add("flit", 0, 8, 0b0000'0000, 0b1000'0000);
  toggles.add("idle", 0, 4, 0, ~std::uint64_t{0});
  toggles.add("wide", 0, 32, ~std::uint64_t{0}, ~std::uint64_t{0});
  toggles.add("wide", 32, 2, 0, 1);
  EXPECT_EQ(toggles.bits(), 1U + 8 + 4 + 34);
  EXPECT_EQ(toggles.toggled(), 1U + 6 + 0 + 32);
  EXPECT_THAT(toggles.never(), ElementsAre("flit[0]", "flit[3]", "idle", "wide[33:32]"));
}

}  // namespace
}  // namespace noctule
