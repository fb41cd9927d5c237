#pragma once
// Allocators: a matching between requesters and resources. VC allocation matches input VCs with output VCs;
// switch allocation matches input VCs, at most one per input port, with output ports (Dally and Towles,
// Principles and Practices of Interconnection Networks, 2004, chapter 19).

#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "arbitration/arbiter.h"
#include "core/mask.h"
#include "core/registry.h"

namespace noctule {

/// The problem that an allocator is built for. Requesters are members of groups; a group gets at most one
/// resource in each allocation, a resource goes to at most one group.
struct AllocatorShape {
  std::vector<std::uint16_t> group_of;  ///< [requester]; groups are numbered from 0 without gaps
  std::size_t resources = 0;
};

struct AllocatorOptions {
  ArbiterKind arbiter = ArbiterKind::kRoundRobin;
  unsigned iterations = 1;  ///< >= 1; later ones match what the earlier ones left, which may be nothing
  /// Where the allocator and its state are to lie, side by side.
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

/// Requesters and resources are numbered below 64 W. Not a pure function: arbiters remember whom they served,
/// and only grants move them.
template <int W>
class Allocator {
 public:
  using M = Mask<W>;
  struct Grant {
    std::uint16_t requester;
    std::uint16_t resource;
    friend bool operator==(const Grant&, const Grant&) = default;
  };
  virtual ~Allocator() = default;
  /// `asking`: the requesters that want something; wants[r]: the resources that r would take, not empty if r
  /// is asking. The grants, in no particular order; valid until the next call of any allocator of this shape.
  [[nodiscard]] virtual std::span<const Grant> allocate(const M& asking, const M* wants) = 0;
  /// As built.
  virtual void reset() = 0;
};

/// Takes an allocator out of the memory that it was put into.
struct AllocatorDeleter {
  std::pmr::memory_resource* memory = nullptr;
  std::size_t bytes = 0;
  std::size_t alignment = 0;
  template <int W>
  void operator()(Allocator<W>* allocator) const {
    void* const place = dynamic_cast<void*>(allocator);
    allocator->~Allocator();
    memory->deallocate(place, bytes, alignment);
  }
};
template <int W>
using AllocatorPtr = std::unique_ptr<Allocator<W>, AllocatorDeleter>;

/// Makes one allocator for each width of mask that routers are compiled for.
struct AllocatorFactory {
  template <int W>
  using Make = std::function<AllocatorPtr<W>(const AllocatorShape&, const AllocatorOptions&)>;
  Make<1> make1;
  Make<4> make4;
  Make<16> make16;

  template <int W>
  [[nodiscard]] AllocatorPtr<W> make(const AllocatorShape& shape, const AllocatorOptions& options) const {
    if constexpr (W == 1) return make1(shape, options);
    if constexpr (W == 4) return make4(shape, options);
    if constexpr (W == 16) return make16(shape, options);
  }
};

/// Factory of a class template `A<W>` that is constructed from (shape, options).
template <template <int> class A>
AllocatorFactory allocator_factory() {
  const auto make = []<int W>() -> AllocatorFactory::Make<W> {
    return [](const AllocatorShape& shape, const AllocatorOptions& options) {
      std::pmr::polymorphic_allocator<> memory(options.memory);
      return AllocatorPtr<W>(memory.new_object<A<W>>(shape, options),
                             {options.memory, sizeof(A<W>), alignof(A<W>)});
    };
  };
  return {make.template operator()<1>(), make.template operator()<4>(), make.template operator()<16>()};
}

/// What the verifier has to know of an allocator besides its name.
struct AllocatorEntry {
  AllocatorFactory factory;
  /// Who keeps asking for the same resources is served within a bounded number of allocations, whatever the
  /// others ask for, as long as nobody withdraws a request.
  bool fair = true;
  /// `fair` does not hold for round-robin arbiters where groups have several members.
  bool groups_need_matrix = false;
};

struct AllocatorTraits {
  static constexpr const char* kind = "allocator";
  using Factory = AllocatorEntry;
};
using AllocatorRegistry = Registry<AllocatorTraits>;
template <>
AllocatorRegistry& AllocatorRegistry::instance();

}  // namespace noctule
