// Is a build id the one that is in the file?

#include "run/build_id.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace noctule {
namespace {

/// What binutils read there; empty: nothing.
std::string read_from(const std::string& file) {
  const std::string command = "readelf -n '" + file + "' 2>/dev/null | sed -n 's/.*Build ID: //p'";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 256> line{};
  while (std::fgets(line.data(), line.size(), output.get()) != nullptr) text += line.data();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string file_of(const void* address) {
  Dl_info object{};
  EXPECT_NE(dladdr(address, &object), 0);
  return object.dli_fname;
}

TEST(TheBuildId, IsThatOfTheFile) {
  if (std::system("readelf --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no readelf";
  const auto* const in_library = reinterpret_cast<const void*>(&std::fgets);
  const auto* const in_program = reinterpret_cast<const void*>(&file_of);
  EXPECT_EQ(build_id(nullptr), read_from(std::filesystem::read_symlink("/proc/self/exe")));
  EXPECT_EQ(build_id(in_program), build_id(nullptr));
  EXPECT_EQ(build_id(in_library), read_from(file_of(in_library)));
  EXPECT_NE(build_id(in_library), build_id(in_program));
}

TEST(TheBuildId, IsNotThereForWhatIsNotLoaded) {
  static_cast<void>(build_id(nullptr));
  const int on_the_stack = 0;
  EXPECT_EQ(build_id(&on_the_stack), "");
}

}  // namespace
}  // namespace noctule
