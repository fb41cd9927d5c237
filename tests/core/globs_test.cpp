// Objects chosen by globs: each once, in their order, and a glob that chooses nobody is told.

#include "core/globs.h"

#include <gtest/gtest.h>

namespace noctule {
namespace {

TEST(Globs, ChooseEachObjectOnceAndTellWhoChoosesNobody) {
  const std::vector<std::string> names{"router_0", "router_1", "hub"};
  std::vector<std::size_t> chosen;
  const auto match = [&](const std::vector<std::string>& globs, std::size_t count) {
    chosen.clear();
    return each_match(
        globs, count, [&](std::size_t i) { return names.at(i); },
        [&](std::size_t i) { chosen.push_back(i); });
  };
  EXPECT_FALSE(match({"*_1", "router_*"}, 3));
  EXPECT_EQ(chosen, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(match({"hub", "leaf", "tree"}, 3), "leaf");
  EXPECT_EQ(chosen, (std::vector<std::size_t>{2}));
  EXPECT_EQ(match({"*"}, 0), "*") << "there is nobody";
  EXPECT_FALSE(match({}, 3));
  EXPECT_TRUE(chosen.empty());
}

}  // namespace
}  // namespace noctule
