#pragma once
// Reads and writes at random within bytes of its own, and compares what it reads with what it wrote.

#include <random>
#include <vector>

#include "initiator.h"

class RandomInitiator final : public Initiator {
 public:
  RandomInitiator(sc_core::sc_module_name name, std::uint64_t base, std::size_t bytes, unsigned transactions,
                  unsigned seed)
      : Initiator(name), base_(base), known_(bytes), left_(transactions), random_(seed) {}

  /// Bytes that were read and not as expected.
  [[nodiscard]] std::uint64_t wrong() const { return wrong_; }
  [[nodiscard]] std::uint64_t base() const { return base_; }
  /// What is in memory from `base` on.
  [[nodiscard]] const std::vector<unsigned char>& known() const { return known_; }

 private:
  static constexpr unsigned kMost = 256;  ///< bytes of a transaction

  void run() override {
    std::vector<unsigned char> data;
    for (; left_ > 0; --left_) {
      spend(sc_core::sc_time(random_() % 50, sc_core::SC_NS));
      data.resize(1 + random_() % kMost);
      const auto length = static_cast<unsigned>(data.size());
      const std::size_t at = random_() % (known_.size() - length);
      if (random_() % 2 == 0) {
        for (auto& byte : data) byte = static_cast<unsigned char>(random_());
        if (!write(base_ + at, data.data(), length)) return;
        for (std::size_t i = 0; i < length; ++i) known_[at + i] = data[i];
      } else {
        if (!read(base_ + at, data.data(), length)) return;
        for (std::size_t i = 0; i < length; ++i) wrong_ += data[i] != known_[at + i] ? 1 : 0;
      }
    }
  }

  std::uint64_t base_;
  std::vector<unsigned char> known_;
  unsigned left_;
  std::mt19937 random_;
  std::uint64_t wrong_ = 0;
};
