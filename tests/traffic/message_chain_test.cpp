// Which messages is a transaction made of, where nobody names them?

#include "traffic/message_chain.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace noctule {
namespace {

using Numbers = std::vector<std::uint8_t>;

/// Of classes a, b, c, ... by what each causes.
Numbers chain(const std::vector<Numbers>& causes) {
  SourceContext context;
  context.classes.clear();
  for (const Numbers& then : causes)
    context.classes.push_back({std::string(1, static_cast<char>('a' + context.classes.size())), {}, then});
  return chain_of(context, {});
}

TEST(AChain, BeginsWithTheFirstClassOrTheOnlyOneThatBeginsOne) {
  EXPECT_EQ(chain({{}}), (Numbers{0, 0})) << "one class is its own answer";
  EXPECT_EQ(chain({{1}, {}}), (Numbers{0, 1}));
  EXPECT_EQ(chain({{}, {0}}), (Numbers{1, 0})) << "in whichever order they are declared";
  EXPECT_EQ(chain({{2}, {}, {1}}), (Numbers{0, 2, 1}));
  EXPECT_EQ(chain({{}, {2}, {0}}), (Numbers{1, 2, 0}));
  EXPECT_EQ(chain({{1}, {}, {3}, {}}), (Numbers{0, 1})) << "the first, of two chains";
}

TEST(AChain, IsRefusedWhereItIsOpenWithWhichClassItBegins) {
  for (const std::vector<Numbers>& causes : {std::vector<Numbers>{{}, {}}, {{}, {0}, {0}}}) try {
      (void)chain(causes);
      FAIL() << "accepted";
    } catch (const ConfigError& e) {
      EXPECT_EQ(e.diagnostics()[0].key, "traffic.source.chain");
      EXPECT_NE(std::string(e.what()).find("name the message classes of its steps"), std::string::npos);
    }
}

}  // namespace
}  // namespace noctule
