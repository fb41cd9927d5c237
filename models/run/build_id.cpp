#include "run/build_id.h"

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace noctule {
namespace {

constexpr char kOwner[] = "GNU";  ///< with its zero, as notes have it

/// In a note segment of a loaded object; empty: it is not there.
std::string build_id_in(const char* notes, std::size_t size) {
  const auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes + at, sizeof(head));
    const std::size_t name = at + sizeof(head);
    const std::size_t content = name + padded(head.n_namesz);
    at = content + padded(head.n_descsz);
    if (at > size) break;
    if (head.n_type != NT_GNU_BUILD_ID || head.n_namesz != sizeof(kOwner) ||
        std::memcmp(notes + name, kOwner, sizeof(kOwner)) != 0)
      continue;
    std::string id;
    for (std::size_t i = 0; i < head.n_descsz; ++i)
      id += fmt::format("{:02x}", static_cast<unsigned char>(notes[content + i]));
    return id;
  }
  return "";
}

}  // namespace

std::string build_id(const void* address) {
  struct Search {
    ElfW(Addr) address;
    std::string id = {};
  } search{reinterpret_cast<ElfW(Addr)>(address)};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        const std::span segments(object->dlpi_phdr, object->dlpi_phnum);
        const bool found =
            wanted.address == 0 || std::ranges::any_of(segments, [&](const ElfW(Phdr) & s) {
              const ElfW(Addr) begin = object->dlpi_addr + s.p_vaddr;
              return s.p_type == PT_LOAD && wanted.address >= begin && wanted.address < begin + s.p_memsz;
            });
        if (!found) return 0;
        for (const ElfW(Phdr) & s : segments)
          if (s.p_type == PT_NOTE && wanted.id.empty())
            wanted.id = build_id_in(
                // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader speaks of addresses
                reinterpret_cast<const char*>(object->dlpi_addr + s.p_vaddr), s.p_memsz);
        return 1;  // the program comes first
      },
      &search);
  return search.id;
}

}  // namespace noctule
