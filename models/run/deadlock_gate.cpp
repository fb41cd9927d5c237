#include "run/deadlock_gate.h"

#include <filesystem>
#include <fstream>

#include "config/model.h"
#include "core/data_files.h"
#include "run/inputs.h"
#include "run/resume.h"
#include "verify/require_proof.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string fabric_key(const Json& resolved) {
  Json parts = Json::object();
  for (const char* part : {"topology", "node", "routing", "multicast"}) parts[part] = resolved.at(part);
  return point_key(parts, "fabric" + input_digest(parts));
}

VerifyOptions verify_options(const PointConfig& point) {
  const ModelConfig model = model_from_json(point.resolved);
  VerifyOptions options;
  options.header_states = model.limits.verify_states;
  options.witness_worms = model.limits.verify_worms;
  options.cycles_per_hop = 1 + model.link.flit_delay;
  return options;
}

DeadlockGate::DeadlockGate(std::string program, bool fresh) : program_(std::move(program)), fresh_(fresh) {
  if (!program_.empty()) folder_ = cache_folder().string();
}

std::string DeadlockGate::file_of(const std::string& key) const {
  return (fs::path(folder_) / ("proved-" + stable_hash(key + program_))).string();
}

void DeadlockGate::pass(const PointConfig& point, const PointSpec& spec) {
  const std::string key = fabric_key(point.resolved);
  const bool allowed = model_from_json(point.resolved).allow_deadlock;
  // Proved, or looked at and allowed: the next point may not allow it.
  if (passed_.count(key) != 0 || (allowed && allowed_.count(key) != 0)) return;
  std::error_code ignored;
  if (!folder_.empty() && !fresh_ && fs::exists(file_of(key), ignored)) {
    passed_.insert(key);
    return;
  }
  auto options = verify_options(point);
  options.find_witness = !allowed;
  try {
    const Certificate certificate = verify(std::make_shared<const FabricPlan>(plan_of(spec)), options);
    if (!certificate.proved() && !allowed) throw ConfigError("routing.algorithm", refusal(certificate));
    (certificate.proved() ? passed_ : allowed_).insert(key);
    if (certificate.proved() && !folder_.empty()) {
      fs::create_directories(folder_, ignored);
      std::ofstream(file_of(key)) << certificate.method << '\n';  // an empty file says as much
    }
  } catch (const ConfigError& error) {
    throw point.annotate(error);
  }
}

}  // namespace noctule
