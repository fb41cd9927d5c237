#include "papers/greenberg_reference_tree.h"

#include <bit>
#include <stdexcept>

namespace noctule::greenberg {

Tree::Tree(unsigned processors) : processors_(processors), height_(0) {
  if (!std::has_single_bit(processors) || std::countr_zero(processors) % 2 != 0 || processors < 16)
    throw std::invalid_argument("greenberg::Tree: the number of processors is a power of 4, at least 16");
  height_ = static_cast<unsigned>(std::countr_zero(processors)) / 2;
  for (unsigned level = height_; level >= 1; --level)
    for (unsigned index = 0; index < switches_at(level); ++index) nodes_.push_back({level, index});

  opposite_.assign(link_numbers(), kNone);
  const auto join = [this](Link a, Link b) {
    opposite_[a] = b;
    opposite_[b] = a;
  };
  for (unsigned p = 0; p < processors; ++p)
    join(into(first_at(1) + p / kChildren, p % kChildren), into_processor(p));
  for (Switch s = first_at(height_ - 1); s < switches(); ++s) {
    const Node child = nodes_[s];
    const unsigned port = (child.index >> (child.level - 1)) % kChildren;
    for (unsigned which = 0; which < 2; ++which) {
      const Node above = parent(child, which);
      join(into(first_at(above.level) + above.index, port), into(s, kChildren + which));
    }
  }
}

Node Tree::parent(Node child, unsigned which) {
  const unsigned width = 1U << child.level;  // how many parents the switches of a block have in all
  const unsigned shift = which == 0 ? 0 : width / 2;
  return {child.level + 1, child.index / (2 * width) * width + (child.index + shift) % width};
}

}  // namespace noctule::greenberg
