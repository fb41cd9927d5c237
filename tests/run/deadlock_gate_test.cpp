// Which fabrics are the same, and does a remembered proof count only for what was proved?

#include "run/deadlock_gate.h"
#include "core/json.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "config/model.h"
#include "core/error.h"
#include "verify/verifier.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

PointConfig point(const std::string& yaml) {
  return expand(decode_text("topology: {kind: torus, radix: [4, 4]}\ntraffic: {offered_load: 0.1}\n" + yaml,
                            "test"))
      .front();
}

class OwnFolder : public testing::Test {
 protected:
  OwnFolder() {
    std::string name = (fs::temp_directory_path() / "noctule-gate-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~OwnFolder() override { fs::remove_all(folder_); }
  fs::path folder_;
};

using FabricKey = OwnFolder;

TEST_F(FabricKey, FollowsTheContentOfFilesThatTheFabricNames) {
  const auto file = folder_ / "table.txt";
  Json resolved = point("").resolved;
  resolved["routing"]["turns"] = file.string();
  const auto key_with = [&](const char* content) {
    std::ofstream(file) << content;
    return fabric_key(resolved);
  };
  const auto one = key_with("1");
  EXPECT_NE(one, key_with("0"));
  EXPECT_EQ(one, key_with("1"));
  fs::remove(file);
  EXPECT_NE(one, fabric_key(resolved));
}

TEST_F(FabricKey, FollowsAllThatAVerdictReadsAndNothingElse) {
  const auto key_with = [](const char* pointer, const Json& value) {
    Json resolved = point("").resolved;
    resolved.at(Json::json_pointer(pointer)) = value;
    return fabric_key(resolved);
  };
  const auto key = fabric_key(point("").resolved);
  EXPECT_NE(key_with("/topology/radix", {4, 5}), key);
  EXPECT_NE(key_with("/node/lanes", 2), key);
  EXPECT_NE(key_with("/nodes", {{{"routers", {"router_0_*"}}, {"model", "rtl"}}}), key);
  EXPECT_NE(key_with("/routing/algorithm", "negative_hop"), key);
  EXPECT_NE(key_with("/multicast/planner", "individual"), key);
  EXPECT_NE(key_with("/link/flit_delay", 2), key);
  EXPECT_NE(key_with("/link/credit_delay", 3), key);
  EXPECT_NE(key_with("/limits/verify_worms", 7), key);
  EXPECT_EQ(key_with("/seed", 7), key);
  EXPECT_EQ(key_with("/measurement/cycles", 50), key);
  EXPECT_EQ(key_with("/limits/time_h", 3), key);
  EXPECT_EQ(key_with("/traffic/offered_load", 0.2), key);
  EXPECT_EQ(key_with("/allow_deadlock", true), key);
}

/// What enters a verdict is made from the part that the key is made of, so nothing else can.
TEST_F(FabricKey, IsOfThePartThatTheFabricIsMadeFrom) {
  const PointConfig whole = point("link: {flit_delay: 3}");
  PointConfig part = whole;
  part.resolved = fabric_part(whole.resolved);
  const FabricOfPoint one = fabric_of(whole);
  const FabricOfPoint other = fabric_of(part);
  EXPECT_EQ(one.key, other.key);
  EXPECT_EQ(one.options.cycles_per_hop, 4U);
  EXPECT_EQ(other.options.cycles_per_hop, 4U);
  EXPECT_EQ(one.plan->routers.size(), other.plan->routers.size());
}

class KeptProof : public OwnFolder {
 protected:
  KeptProof() : store_(folder_ / "proofs", "this program") {
    certificate_ = verify(fabric_.plan, fabric_.options);
    store_.keep(fabric_.key, certificate_);
    for (const auto& entry : fs::directory_iterator(folder_ / "proofs")) file_ = entry.path();
  }
  [[nodiscard]] bool holds() const { return store_.holds(fabric_.key, *fabric_.plan); }
  [[nodiscard]] Json content() const {
    std::ifstream file(file_);
    return Json::parse(file);
  }
  void write(const std::string& text) const { std::ofstream(file_) << text; }

  FabricOfPoint fabric_ = fabric_of(point("node: {model: star_channels}"));
  ProofStore store_;
  Certificate certificate_;
  fs::path file_;
};

TEST_F(KeptProof, HoldsForItsFabricAndProgram) {
  ASSERT_EQ(certificate_.method, "escape_network");
  EXPECT_TRUE(holds());
  EXPECT_FALSE(store_.holds("another key", *fabric_.plan));
  EXPECT_FALSE(ProofStore(folder_ / "proofs", "another program").holds(fabric_.key, *fabric_.plan));
  EXPECT_FALSE(ProofStore("", "this program").holds(fabric_.key, *fabric_.plan));
}

TEST_F(KeptProof, LiesWhereNobodyElseCanRead) {
  struct stat about {};
  ASSERT_EQ(::stat((folder_ / "proofs").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0700U);
  ASSERT_EQ(::stat(file_.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600U);
  // One that is open to others is closed when the next proof is kept.
  fs::permissions(folder_ / "proofs", fs::perms::all);
  EXPECT_FALSE(holds());
  store_.keep(fabric_.key, certificate_);
  EXPECT_TRUE(holds());
}

TEST_F(KeptProof, IsNotBelievedButChecked) {
  const Json genuine = content();
  for (const char* text : {"", "\n", "proved", "{}", "[]", "null", "{\"method\": 7}"}) {
    write(text);
    EXPECT_FALSE(holds()) << text;
  }
  const auto with = [&](const char* key, const Json& value) {
    Json changed = genuine;
    changed[key] = value;
    write(changed.dump());
    return holds();
  };
  EXPECT_TRUE(with("method", "escape_network"));
  EXPECT_FALSE(with("method", "acyclic"));
  EXPECT_FALSE(with("method", "no_deadlocked_set"));
  EXPECT_FALSE(with("fabric", "another key"));
  EXPECT_FALSE(with("numbering", Json::array()));
  EXPECT_FALSE(with("numbering", {-1, 2}));
  Json flat = genuine["numbering"];
  for (Json& number : flat)
    if (number != Certificate::kUnnumbered) number = 5;
  EXPECT_FALSE(with("numbering", flat));
}

TEST_F(KeptProof, CountsOnlyWhileOthersCannotChangeIt) {
  fs::permissions(file_, fs::perms::group_write, fs::perm_options::add);
  EXPECT_FALSE(holds());
  fs::permissions(file_, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(holds());
  const auto elsewhere = folder_ / "elsewhere.json";
  fs::rename(file_, elsewhere);
  fs::create_symlink(elsewhere, file_);
  EXPECT_FALSE(holds());
  if (::geteuid() == 0) {
    fs::remove(file_);
    fs::rename(elsewhere, file_);
    ASSERT_EQ(::chown(file_.c_str(), 65534, 65534), 0);
    EXPECT_FALSE(holds());
  }
}

/// A proof for routers that take only empty VCs is none for others.
TEST_F(KeptProof, IsCheckedAgainstTheConditionsOnTheNode) {
  const FabricOfPoint careless = fabric_of(point("node: {model: star_channels, release: tail_left}"));
  Json genuine = content();
  genuine["fabric"] = careless.key;
  store_.keep(careless.key, certificate_);
  EXPECT_FALSE(store_.holds(careless.key, *careless.plan));
}

}  // namespace
}  // namespace noctule
