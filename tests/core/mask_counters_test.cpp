// Counters that are counted many at a time: do they say what counters one by one say?

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/mask_counters.h"
#include "core/rng.h"

namespace noctule {
namespace {

template <int W>
struct Counters : MaskCounters<W> {
  explicit Counters(bool deep) {
    if (deep) this->set_far(planes.data());
  }
  std::array<typename MaskCounters<W>::Plane, MaskCounters<W>::kFar> planes{};
};

/// What is counted one by one, of inputs or of outputs.
template <int W>
struct OneByOne {
  std::array<std::size_t, Mask<W>::kBits> values{};
  Mask<W> up;
  Mask<W> down;
  Mask<W> both;

  /// Draws what is counted next, within 0 and `most`, and counts it.
  void draw(Rng& rng, std::size_t most) {
    up = down = both = {};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto draw = rng.below(3);
      up.set_if(i, draw == 0 && values[i] < most);
      down.set_if(i, draw == 1 && values[i] > 0);
      both.set_if(i, draw == 2 && rng.below(2) == 0);
      values[i] += up.test(i) ? 1 : 0;
      values[i] -= down.test(i) ? 1 : 0;
    }
  }
};

template <int W>
void expect_values(const MaskCounters<W>& counters, const OneByOne<W>& inputs, const OneByOne<W>& outputs,
                   const MaskCounters<W>& full, std::size_t most) {
  for (std::size_t i = 0; i < inputs.values.size(); ++i) {
    ASSERT_EQ(counters.input(i), inputs.values[i]) << "input " << i;
    ASSERT_EQ(counters.output(i), outputs.values[i]) << "output " << i;
    ASSERT_EQ(counters.inputs_other_than(full).test(i), inputs.values[i] != most);
    ASSERT_EQ(counters.outputs_other_than(full).test(i), outputs.values[i] != most);
  }
}

template <int W>
void compare_with_one_by_one(std::size_t most) {
  const bool deep = MaskCounters<W>::needs_far(most);
  Counters<W> counters(deep);
  Counters<W> at_once(deep);
  Counters<W> full(deep);
  OneByOne<W> inputs;
  OneByOne<W> outputs;
  Rng rng(7, "mask counters");
  const std::size_t start = most - std::min<std::size_t>(most, 3);  // so that carries reach the highest plane
  for (std::size_t i = 0; i < inputs.values.size(); ++i) {
    full.set_input(i, most);
    full.set_output(i, most);
    for (auto* c : {&counters, &at_once}) {
      c->set_input(i, inputs.values[i] = start);
      c->set_output(i, outputs.values[i] = start);
    }
  }
  for (int step = 0; step < 200; ++step) {
    SCOPED_TRACE(step);
    inputs.draw(rng, most);
    outputs.draw(rng, most);
    counters.add_inputs(inputs.up);
    counters.add_outputs(outputs.up);
    counters.change({}, {inputs.down, outputs.down});
    const auto some = at_once.change({inputs.up | inputs.both, outputs.up | outputs.both},
                                     {inputs.down | inputs.both, outputs.down | outputs.both});
    expect_values(counters, inputs, outputs, full, most);
    expect_values(at_once, inputs, outputs, full, most);
    for (std::size_t i = 0; i < inputs.values.size(); ++i) {
      ASSERT_EQ(some.inputs.test(i), inputs.values[i] != 0);
      ASSERT_EQ(some.outputs.test(i), outputs.values[i] != 0);
    }
  }
  counters.clear_inputs();
  inputs.values = {};
  expect_values(counters, inputs, outputs, full, most);
}

TEST(MaskCounters, CountAsCountersOneByOneDo) {
  for (const std::size_t most : {1U, 2U, 8U, 15U, 16U, 300U, 65536U}) {
    SCOPED_TRACE(most);
    compare_with_one_by_one<1>(most);
    compare_with_one_by_one<4>(most);
  }
}

/// Counters that stay low, up to `most`, counted as such and as any.
template <int W, CounterPlanes kPlanes>
void count_low(std::size_t most) {
  Counters<W> low(false);
  Counters<W> any(false);
  OneByOne<W> inputs;
  OneByOne<W> outputs;
  Rng rng(9, "mask counters");
  for (int step = 0; step < 200; ++step) {
    SCOPED_TRACE(step);
    inputs.draw(rng, most);
    outputs.draw(rng, most);
    const typename MaskCounters<W>::Both up{inputs.up, outputs.up};
    if (step % 3 == 0) {
      low.template add<kPlanes>(up);
      any.add(up);
    }
    const auto more = step % 3 == 0 ? typename MaskCounters<W>::Both{} : up;
    const auto some = low.template change<kPlanes>(more, {inputs.down, outputs.down});
    const auto same = any.change(more, {inputs.down, outputs.down});
    ASSERT_EQ(some.inputs, same.inputs);
    ASSERT_EQ(some.outputs, same.outputs);
    ASSERT_TRUE(low.inputs_other_than(any).none() && low.outputs_other_than(any).none());
    for (std::size_t i = 0; i < inputs.values.size(); ++i) {
      ASSERT_EQ(low.input(i), inputs.values[i]);
      ASSERT_EQ(low.output(i), outputs.values[i]);
    }
  }
}

TEST(MaskCounters, CountLowOnesAsAny) {
  count_low<1, CounterPlanes::kShallow>(MaskCounters<1>::kMostShallow);
  count_low<4, CounterPlanes::kShallow>(MaskCounters<4>::kMostShallow);
  count_low<1, CounterPlanes::kNear>(MaskCounters<1>::kMostNear);
  count_low<4, CounterPlanes::kNear>(MaskCounters<4>::kMostNear);
}

template <int W>
void add_up_to_seven(std::size_t most) {
  Counters<W> counters(MaskCounters<W>::needs_far(most));
  std::array<std::size_t, Mask<W>::kBits> expected{};
  counters.set_input(5, most);
  Rng rng(8, "mask counters");
  for (int step = 0; step < 50; ++step) {
    std::array<Mask<W>, 3> bits{};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto more = rng.below(std::min<std::size_t>(7, most - expected[i]) + 1);
      for (unsigned b = 0; b < 3; ++b) bits[b].set_if(i, (more >> b & 1) != 0);
      expected[i] += more;
    }
    counters.add_outputs(bits[0], bits[1], bits[2]);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(counters.output(i), expected[i]) << "counter " << i << ", step " << step;
      ASSERT_EQ(counters.input(i), i == 5 ? most : 0);
    }
  }
}

TEST(MaskCounters, AddUpToSevenAtOnce) {
  for (const std::size_t most : {7U, 15U, 300U}) {
    add_up_to_seven<1>(most);
    add_up_to_seven<4>(most);
  }
}

TEST(MaskCounters, StartFromZeroWithWhatTheNearPlanesHold) {
  for (std::size_t value = 0; value <= MaskCounters<4>::kMostNear; ++value)
    for (const std::size_t i : {0U, 63U, 64U, 255U}) {
      Counters<4> counters(false);
      counters.set_input(7, 3);
      counters.set_output(i, 2);
      counters.start_input(i, value);
      EXPECT_EQ(counters.input(i), value);
      EXPECT_EQ(counters.input(7), 3U);
      EXPECT_EQ(counters.output(i), 2U);
    }
}

TEST(MaskCounters, NeedFarPlanesFromSixteenOn) {
  EXPECT_FALSE(MaskCounters<1>::needs_far(15));
  EXPECT_TRUE(MaskCounters<1>::needs_far(16));
}

}  // namespace
}  // namespace noctule
