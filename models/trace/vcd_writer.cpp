#include "trace/vcd_writer.h"

#include <fmt/format.h>

#include <bit>

#include "core/error.h"

namespace noctule {
namespace {

/// Identifier code: digits of the number in the 94 printable characters.
std::string_view code_of(std::uint32_t number, char (&buffer)[8]) {
  std::size_t n = 0;
  do {
    buffer[n++] = static_cast<char>('!' + number % 94);
    number /= 94;
  } while (number != 0);
  return {buffer, n};
}

}  // namespace

std::vector<std::string> scopes_of(const std::string& dotted) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= dotted.size();) {
    const auto dot = std::min(dotted.find('.', at), dotted.size());
    if (dot > at) parts.push_back(dotted.substr(at, dot - at));
    at = dot + 1;
  }
  return parts;
}

VcdWriter::VcdWriter(std::string path, const std::string& timescale, std::uint64_t step)
    : file_(std::move(path), "trace.vcd"), step_(step) {
  file_ << "$version noctule " << NOCTULE_VERSION << " $end\n$timescale " << timescale << " $end\n";
}

void VcdWriter::move_to(const std::vector<std::string>& scope) {
  std::size_t common = 0;
  while (common < open_.size() && common < scope.size() && open_[common] == scope[common]) ++common;
  for (std::size_t n = open_.size(); n > common; --n) file_ << "$upscope $end\n";
  for (std::size_t n = common; n < scope.size(); ++n) file_ << "$scope module " << scope[n] << " $end\n";
  open_ = scope;
}

VcdWriter::Variable VcdWriter::add(const std::string& scope, const std::string& name, unsigned bits,
                                   Kind kind) {
  if (bits < 1 || bits > kMostBits)
    throw InternalError(fmt::format("{}: variable {}.{} of {} bits", path(), scope, name, bits));
  move_to(scopes_of(scope));
  Entry entry;
  entry.id = static_cast<std::uint32_t>(variables_.size());
  entry.bits = static_cast<std::uint8_t>(bits);
  char buffer[8];
  file_ << (kind == Kind::kReg ? "$var reg " : "$var wire ") << std::uint64_t{bits} << ' '
        << code_of(entry.id, buffer) << ' ' << name;
  if (bits > 1) file_ << " [" << std::uint64_t{bits - 1} << ":0]";
  file_ << " $end\n";
  variables_.push_back(entry);
  return Variable{entry.id};
}

void VcdWriter::end_definitions() {
  move_to({});
  file_ << "$enddefinitions $end\n";
}

void VcdWriter::write_time(Cycle t) {
  if (written_ == t) return;
  file_ << '#' << t * step_ << '\n';
  written_ = t;
}

void VcdWriter::write_value(const Entry& entry) {
  char buffer[8];
  const auto code = code_of(entry.id, buffer);
  const bool undriven = entry.value == kUndriven;
  if (entry.bits == 1) {
    file_ << (undriven ? 'z' : entry.value != 0 ? '1' : '0') << code << '\n';
    return;
  }
  if (undriven) {
    file_ << "bz " << code << '\n';
    return;
  }
  char digits[65];
  std::size_t n = 0;
  digits[n++] = 'b';
  for (int b = std::max(1, static_cast<int>(std::bit_width(entry.value))) - 1; b >= 0; --b)
    digits[n++] = (entry.value >> b & 1) != 0 ? '1' : '0';
  file_ << std::string_view(digits, n) << ' ' << code << '\n';
}

void VcdWriter::change(const Entry& entry) {
  write_time(now_);
  write_value(entry);
}

void VcdWriter::dump() {
  write_time(now_);
  file_ << "$dumpvars\n";
  for (const Entry& entry : variables_) write_value(entry);
  file_ << "$end\n";
  dumped_ = true;
}

void VcdWriter::begin(Cycle t) {
  if (begun_ && !dumped_ && t != now_) dump();
  now_ = t;
  begun_ = true;
}

void VcdWriter::finish(Cycle t) {
  if (finished_) return;
  finished_ = true;
  if (!begun_) return;
  if (!dumped_) dump();
  if (t > now_) write_time(t);
}

std::string vcd_name(std::string_view name) {
  std::string safe;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    safe += letter ? c : c == '+' ? 'p' : c == '-' ? 'm' : '_';
  }
  return safe;
}

unsigned bits_for(std::uint64_t count) {
  return count <= 2 ? 1 : static_cast<unsigned>(std::bit_width(count - 1));
}

}  // namespace noctule
