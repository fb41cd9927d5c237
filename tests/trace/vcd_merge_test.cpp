// Are several dumps one, with every change at its time and every variable in its scope?

#include "trace/vcd_merge.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/error.h"

namespace noctule {
namespace {

std::string write(const std::string& name, const std::string& text) {
  const std::string file = testing::TempDir() + name;
  std::ofstream(file) << text;
  return file;
}

std::string read(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(VcdMerge, InterleavesTimesAndKeepsScopesApart) {
  const auto one =
      write("one.vcd",
            "$date today $end\n$timescale 1 ns $end\n$scope module a $end\n$var wire 1 ! v $end\n"
            "$upscope $end\n$enddefinitions $end\n#2\n$dumpvars\n0!\n$end\n#5\n1!\n");
  const auto two =
      write("two.vcd",
            "$version x $end\n$timescale 1ps $end\n$scope module TOP $end\n"
            "$var wire 4 ! bus [3:0] $end\n$upscope $end\n$enddefinitions $end\n#2\nb101 !\n#3\nb1 !\n");
  const std::string out = testing::TempDir() + "merged.vcd";
  merge_vcds(out, {{"", one}, {"inside.rtl", two}, {"nothing", testing::TempDir() + "is_not_there.vcd"}});
  EXPECT_EQ(read(out),
            "$timescale 1 ns $end\n"
            "$scope module a $end\n$var wire 1 A! v $end\n$upscope $end\n"
            "$scope module inside $end\n$scope module rtl $end\n$scope module TOP $end\n"
            "$var wire 4 B! bus [3:0] $end\n$upscope $end\n$upscope $end\n$upscope $end\n"
            "$enddefinitions $end\n"
            "#2\n0A!\nb101 B!\n#3\nb1 B!\n#5\n1A!\n");
}

TEST(VcdMerge, SaysWhereTheResultCannotBeWritten) {
  EXPECT_THROW(merge_vcds("/nowhere/at/all.vcd", {}), ConfigError);
}

}  // namespace
}  // namespace noctule
