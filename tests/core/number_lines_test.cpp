// Text files of whole numbers: what is read, and is every malformed line named with its place?

#include "core/number_lines.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace noctule {
namespace {

namespace fs = std::filesystem;
using Numbers = std::vector<std::uint64_t>;

class NumberLines : public ::testing::Test {
 protected:
  NumberLines() {
    std::string name = (fs::temp_directory_path() / "noctule-numbers-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  ~NumberLines() override { fs::remove_all(folder_); }

  std::string write(const std::string& text) {
    const auto file = folder_ / "numbers.txt";
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }
  std::vector<NumberLine> read(const std::string& text, const std::vector<std::string>& columns = {"a", "b"},
                               const std::string& more = "") {
    return read_number_lines(write(text), columns, "some.key", more);
  }
  /// "line: message" of every complaint.
  std::vector<std::string> complaints(const std::string& text,
                                      const std::vector<std::string>& columns = {"a", "b"},
                                      const std::string& more = "") {
    std::vector<std::string> found;
    try {
      read(text, columns, more);
    } catch (const ConfigError& error) {
      for (const auto& d : error.diagnostics()) {
        EXPECT_EQ(d.key, "some.key");
        const auto colon = d.place.rfind(':');
        found.push_back((colon == std::string::npos ? "" : d.place.substr(colon + 1)) + ": " + d.message);
      }
    }
    return found;
  }
  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

TEST_F(NumberLines, AByteZeroIsNoText) {
  const auto found = complaints(std::string("1 2\n3\0 4\n", 9));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find(":2: a byte 0"), std::string::npos) << found[0];
}

TEST_F(NumberLines, CommentsBlanksAndEveryEndOfALine) {
  const auto lines = read("# a comment\n\n1 2\r\n\t 3\t4  # behind it\n  # alone\n5 6");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].values, (Numbers{1, 2}));
  EXPECT_EQ(lines[1].values, (Numbers{3, 4}));
  EXPECT_EQ(lines[2].values, (Numbers{5, 6}));
  EXPECT_TRUE(lines[0].place.ends_with("numbers.txt:3"));
  EXPECT_TRUE(lines[1].place.ends_with("numbers.txt:4"));
  EXPECT_TRUE(lines[2].place.ends_with("numbers.txt:6"));
  EXPECT_TRUE(read("").empty());
  EXPECT_TRUE(read("#1 2").empty());
}

TEST_F(NumberLines, AByteOrderMarkIsLeftOutOnlyAtTheStart) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "1 2\n")
                .at(0)
                .values,
            (Numbers{1, 2}));
  EXPECT_EQ(complaints("1 2\n\xEF\xBB\xBF"
                       "3 4\n")
                .size(),
            1U);
}

TEST_F(NumberLines, WholeNumbersUpTo64Bits) {
  EXPECT_EQ(read("18446744073709551615 007").at(0).values, (Numbers{~std::uint64_t{0}, 7}));
  for (const std::string wrong :
       {"18446744073709551616", "-1", "+1", "1.5", "0x10", "1e3", "one", "1,2", ",", "\"1\""})
    EXPECT_EQ(complaints("0 " + wrong),
              std::vector{"1: b is '" + wrong + "'; a whole number from 0 to 2^64-1 is needed"});
}

TEST_F(NumberLines, AListStandsWhereSeveralAreAllowed) {
  const std::vector<std::string> columns{"a", "b[,...]"};
  const auto lines = read("1 2,3,4\n5 6\n", columns);
  EXPECT_EQ(lines.at(0).values, (Numbers{1, 2}));
  EXPECT_EQ(lines.at(0).list, (Numbers{2, 3, 4}));
  EXPECT_EQ(lines.at(1).list, Numbers{6});
  for (const std::string wrong : {"2,", ",2", "2,,3", "2;3", "2,x"})
    EXPECT_EQ(
        complaints("1 " + wrong, columns),
        std::vector{"1: b is '" + wrong +
                    "'; a whole number from 0 to 2^64-1 is needed, or several with commas between them"});
  EXPECT_EQ(complaints("1,2 3", columns).size(), 1U) << "only where it is allowed";
}

TEST_F(NumberLines, WordsBehindTheNumbersOnlyWhereTheFileHasThem) {
  const auto lines = read("1 2 x+ 3\n4 5\n", {"a", "b"}, "[hop ...]");
  EXPECT_EQ(lines.at(0).words, (std::vector<std::string>{"x+", "3"}));
  EXPECT_TRUE(lines.at(1).words.empty());
  EXPECT_EQ(complaints("1 2 3"),
            std::vector<std::string>{"1: 3 words; a line is 'a b', with blanks between"});
  EXPECT_EQ(complaints("1", {"a", "b"}, "[hop ...]"),
            std::vector<std::string>{"1: 1 word; a line is 'a b [hop ...]', with blanks between"});
}

TEST_F(NumberLines, EveryMalformedLineIsNamedUpToTwenty) {
  EXPECT_EQ(complaints("1 x\n2 3\n4\ny z\n"),
            (std::vector<std::string>{"1: b is 'x'; a whole number from 0 to 2^64-1 is needed",
                                      "3: 1 word; a line is 'a b', with blanks between",
                                      "4: a is 'y'; a whole number from 0 to 2^64-1 is needed",
                                      "4: b is 'z'; a whole number from 0 to 2^64-1 is needed"}));
  std::string many;
  for (int i = 0; i < 50; ++i) many += "1\n";
  EXPECT_EQ(complaints(many).size(), 20U);
}

TEST_F(NumberLines, NothingIsHandedOnAfterAFault) {
  std::vector<std::uint64_t> seen;
  EXPECT_THROW(each_number_line(write("1\n2\nx\n3\n"), {"a"}, "some.key", "",
                                [&](NumberLine& line) { seen.push_back(line.values.front()); }),
               ConfigError);
  EXPECT_EQ(seen, (Numbers{1, 2}));
}

TEST_F(NumberLines, ALineThatIsTooLongIsNoTextFile) {
  std::string longest((1U << 20U) - 5, ' ');
  longest.append("1 2");
  EXPECT_EQ(read(longest + "\n").size(), 1U);
  const auto found = complaints(longest + "  \n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("a line of more than 1048575 characters"), std::string::npos) << found[0];
}

TEST_F(NumberLines, WhatIsNoReadableFileIsSaid) {
  const auto said = [](const std::string& path) -> std::string {
    try {
      read_number_lines(path, {"a"}, "some.key");
    } catch (const ConfigError& error) {
      return error.diagnostics().at(0).message;
    }
    return "accepted";
  };
  EXPECT_NE(said((folder() / "none.txt").string()).find("cannot read"), std::string::npos);
  EXPECT_NE(said(folder().string()).find("is a directory"), std::string::npos);
  EXPECT_NE(said("/dev/null").find("is a device or a pipe"), std::string::npos);
}

}  // namespace
}  // namespace noctule
