#pragma once
// Payloads of the parts of a transaction that was cut.

#include <memory>
#include <vector>

#include "tlm/systemc_tlm.h"
#include "transactions/packetizer.h"

namespace noctule::tlm {

/// A payload of our own, with the bytes that it enables.
struct SubPayload final : Payload {
  explicit SubPayload(::tlm::tlm_mm_interface* manager) : Payload(manager) {}
  ~SubPayload() override { leave_shared(); }
  /// Extensions of the whole go with the whole; those that a target has added stay.
  void leave_shared();
  std::vector<unsigned char> enables;
  std::vector<::tlm::tlm_extension_base*> shared;  ///< with the whole, by number
};

/// Makes and keeps them. Data and extensions of a part are the whole's, by pointer; its byte enables are the
/// whole's, turned so that they fit its first byte.
class SubPayloads final : private ::tlm::tlm_mm_interface {
 public:
  /// Acquired once.
  [[nodiscard]] SubPayload& take(Payload& whole, const Piece& piece);
  /// Releases it: nobody of ours uses it any longer.
  void give_back(SubPayload& sub);
  /// That somebody still holds.
  [[nodiscard]] std::size_t live() const { return live_; }

 private:
  void free(Payload* payload) override;

  std::vector<std::unique_ptr<SubPayload>> all_;
  std::vector<SubPayload*> free_;
  std::size_t live_ = 0;
};

}  // namespace noctule::tlm
