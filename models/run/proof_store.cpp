#include "run/proof_store.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "core/json.h"
#include "core/private_files.h"
#include "run/resume.h"
#include "verify/recheck.h"

namespace noctule {
namespace fs = std::filesystem;

ProofStore::ProofStore(fs::path folder, std::string program)
    : folder_(std::move(folder)), program_(std::move(program)) {}

fs::path ProofStore::file_of(const std::string& key) const {
  return folder_ / fmt::format("{}.json", stable_hash(key + program_));
}

bool ProofStore::holds(const std::string& key, const FabricPlan& plan) const {
  if (folder_.empty()) return false;
  if (!is_private_folder(folder_)) return false;
  const auto text = read_private_file(file_of(key));
  if (!text) return false;
  const Json proof = Json::parse(*text, nullptr, false);
  if (!proof.is_object() || proof.value("fabric", Json()) != key ||
      proof.value("program", Json()) != program_ || !proof.contains("method") ||
      !proof["method"].is_string() || !proof.contains("numbering") || !proof["numbering"].is_array())
    return false;
  std::vector<std::uint32_t> numbering;
  numbering.reserve(proof["numbering"].size());
  for (const Json& number : proof["numbering"]) {
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() > Certificate::kUnnumbered) return false;
    numbering.push_back(number.get<std::uint32_t>());
  }
  return recheck(plan, proof["method"].get<std::string>(), numbering);
}

void ProofStore::keep(const std::string& key, const Certificate& certificate) const {
  if (folder_.empty() || !can_recheck(certificate) || !make_private_folder(folder_)) return;
  const Json proof{{"fabric", key},
                   {"program", program_},
                   {"method", certificate.method},
                   {"numbering", certificate.numbering}};
  (void)write_private_file(file_of(key), proof.dump() + "\n");
}

}  // namespace noctule
