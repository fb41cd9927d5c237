#include "traffic/drawn_sink.h"

#include "core/fixed_point.h"
#include "core/rng.h"

namespace noctule {
namespace {

class DrawnSink final : public TerminalSink {
 public:
  DrawnSink(double stall, std::uint64_t seed, std::shared_ptr<TerminalSink> otherwise)
      : key_(Rng(seed, "stall").next()),
        threshold_(to_fixed_point(stall)),
        otherwise_(std::move(otherwise)) {}

  unsigned room(TerminalId terminal, std::uint8_t message_class, bool head, Cycle t) override {
    if (mix64(key_ + mix64(t ^ (std::uint64_t{index(terminal)} << 40))) < threshold_) return 0;
    return otherwise_ ? otherwise_->room(terminal, message_class, head, t) : kAll;
  }
  [[nodiscard]] bool shared() const override { return otherwise_ && otherwise_->shared(); }
  void took(const TakenFlit& flit, Cycle t) override { otherwise_->took(flit, t); }
  [[nodiscard]] Told told() const override { return otherwise_ ? otherwise_->told() : Told::kNothing; }
  [[nodiscard]] bool settled() const override { return !otherwise_ || otherwise_->settled(); }
  [[nodiscard]] double rate() const override {
    return otherwise_ ? otherwise_->rate() : TerminalSink::rate();
  }
  [[nodiscard]] double class_rate() const override {
    return otherwise_ ? otherwise_->class_rate() : TerminalSink::class_rate();
  }
  void reset() override {
    if (otherwise_) otherwise_->reset();
  }

 private:
  std::uint64_t key_;
  std::uint64_t threshold_;  ///< of 2^64
  std::shared_ptr<TerminalSink> otherwise_;
};

}  // namespace

std::unique_ptr<TerminalSink> drawn_sink(double stall, std::uint64_t seed,
                                         std::shared_ptr<TerminalSink> otherwise) {
  return std::make_unique<DrawnSink>(stall, seed, std::move(otherwise));
}

}  // namespace noctule
