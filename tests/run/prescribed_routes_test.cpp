// Does a trace file with hops reach the fabric, and is a bad one refused with its line?

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "config/decode.h"
#include "core/error.h"
#include "routing/prescribed_routes.h"
#include "run/configured_point.h"

namespace noctule {
namespace {

class PrescribedRun : public testing::Test {
 protected:
  PrescribedRun() : path_(testing::TempDir() + "noctule_routes_" + std::to_string(::getpid()) + ".txt") {}
  ~PrescribedRun() override { std::filesystem::remove(path_); }
  PrescribedRun(const PrescribedRun&) = delete;
  PrescribedRun& operator=(const PrescribedRun&) = delete;

  /// Without its rule on empty buffers *-Channels locks up (Gravano et al. 1994, V.C).
  PointSpec point(const std::string& trace, const std::string& release = "tail_crossed") const {
    std::ofstream(path_) << trace;
    const auto points = expand(
        decode_text("topology: {kind: torus, radix: [5, 5]}\n"
                    "node: {model: generic, connections_per_cycle: 1, release: " +
                        release +
                        "}\n"
                        "routing: star_channels\n"
                        "traffic: {source: {kind: trace_file, file: " +
                        path_ + "}}\nmeasurement: {warm_up: 0, cycles: 4000, deadlock_interval: 200}\n",
                    "routes"));
    return configured_point(points.at(0), {});
  }

  std::string path_;
};

TEST_F(PrescribedRun, TheRelationIsWrappedOnlyWhereThereAreRoutes) {
  EXPECT_EQ(dynamic_cast<const PrescribedRoutes*>(point("0 0 2 9\n").relation.get()), nullptr);
  const auto spec = point("0 0 2 9 x_plus.star0\n3 1 8 9\n0 5 11 9 y_plus.nonstar x_plus.star0\n");
  const auto* prescribed = dynamic_cast<const PrescribedRoutes*>(spec.relation.get());
  ASSERT_NE(prescribed, nullptr);
  EXPECT_EQ(prescribed->routes(), 2U);
  const auto record = run_point(spec, 0);
  EXPECT_EQ(record.point.at("packets").at("delivered"), 3) << record.point.dump(1);
}

TEST_F(PrescribedRun, BadRoutesAreRefusedWithTheirLines) {
  try {
    (void)point("0 0 2 9 x_plus.star0\n0 0 2 9 y_plus.star0\n\n0 0 2 9 x_plus.stra0 # no such\n");
    FAIL();
  } catch (const ConfigError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2U);
    const auto& unknown = error.diagnostics()[0];
    EXPECT_EQ(unknown.place, path_ + ":4");
    EXPECT_NE(unknown.message.find("'x_plus.stra0'; router_0_0 has no such output: it has x_plus.star0"),
              std::string::npos)
        << unknown.message;
    const auto& wrong = error.diagnostics()[1];
    EXPECT_EQ(wrong.place, path_ + ":2");
    EXPECT_NE(wrong.message.find("at router_0_0 the routing relation offers: x_plus.star0"),
              std::string::npos)
        << wrong.message;
  }
}

}  // namespace
}  // namespace noctule
