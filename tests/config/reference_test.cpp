// Is the reference complete, legal, and says what the declarations say?

#include "config/reference.h"

#include <gtest/gtest.h>

#include "config/config_support.h"
#include "config/schema.h"
#include "stats/metrics.h"

namespace noctule {
namespace {

TEST(Reference, DecodesToTheDefaults) {
  const auto reference = decode_text(reference_yaml(), "reference");
  auto defaults = decode_text("seed: 1", "file").resolved;
  auto values = reference.resolved;
  defaults.erase("implied");
  values.erase("implied");
  EXPECT_EQ(values, defaults);
}

TEST(Reference, HasEveryKeyAndEveryEntry) {
  const auto text = reference_yaml();
  visit_keys([&](const std::string& path, const Parameter& p) {
    if (path.ends_with("[]")) return;
    EXPECT_NE(text.find(p.name + ":"), std::string::npos) << path;
  });
  for (const auto& kind : Catalog::instance().kinds())
    for (const auto* entry : Catalog::instance().entries(kind))
      EXPECT_NE(text.find(entry->name), std::string::npos) << entry->name;
}

TEST(Descriptions, ExistForKindsEntriesAndKeys) {
  for (const auto& kind : Catalog::instance().kinds()) {
    EXPECT_TRUE(describe(kind)) << kind;
    for (const auto* entry : Catalog::instance().entries(kind)) {
      const auto text = describe(entry->name);
      ASSERT_TRUE(text) << entry->name;
      EXPECT_NE(text->find(entry->description), std::string::npos);
      for (const auto& p : entry->parameters)
        EXPECT_NE(text->find(p.description), std::string::npos) << p.name;
    }
  }
  const auto key = describe("traffic.packet_length");
  ASSERT_TRUE(key);
  EXPECT_NE(key->find("an integer, 1 to 65535 flits; default 5"), std::string::npos) << *key;
  EXPECT_FALSE(describe("nonsense"));
  EXPECT_FALSE(describe(""));
  EXPECT_EQ(nearest_description("star-chanels"), "star_channels");
  EXPECT_NE(list_everything().find("star_channels"), std::string::npos);
}

TEST(Descriptions, OfNumbersOfResults) {
  const auto all = describe("metric");
  ASSERT_TRUE(all);
  for (const Metric& metric : metrics()) {
    EXPECT_NE(all->find(metric.definition), std::string::npos) << metric.definition;
    for (const CsvColumn& column : metric.columns())
      if (metric.of != Metric::Of::kClass) {
        EXPECT_TRUE(describe(column.header)) << column.header;
      }
  }
  const auto stalls = describe("latency_stalls_cycles");
  ASSERT_TRUE(stalls);
  EXPECT_NE(stalls->find("cycles; in results.json: latency_cycles.parts.stalls"), std::string::npos)
      << *stalls;
  for (const char* name : {"latency_total_p99_cycles", "latency_cycles.total", "latency_cycles.total.p99"})
    EXPECT_EQ(describe(name), describe("latency_total_mean_cycles")) << name;
  EXPECT_EQ(described("digest_hex")->at("metric").size(), 1U);
  EXPECT_EQ(nearest_description("latency_totl_mean_cycles"), "latency_total_mean_cycles");
  EXPECT_FALSE(describe("crossbar"));  // a place in results.json, but first of all a part of routers
  EXPECT_FALSE(describe("latency_cycles.total."));
}

TEST(Descriptions, OfANodeModelShowItsPreset) {
  const auto text = describe("star_channels");
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("default next_buffer_empty"), std::string::npos) << *text;
}

}  // namespace
}  // namespace noctule
