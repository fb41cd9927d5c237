#include "run/resume.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/json.h"

namespace noctule {
namespace {

using SortedJson = nlohmann::json;
constexpr const char* kKey = "out";
/// Sections of a configuration that change what is done with a point, but not the point.
constexpr const char* kWithoutEffect[] = {"name",   "description", "plots", "expect", "allow_deadlock",
                                          "limits", "cost",        "cosim", "implied"};
constexpr std::size_t kPiece = std::size_t{1} << 20;  ///< bytes written at once, about
constexpr std::string_view kLineStart = "{\"key\":\"";
constexpr int kLockTries = 20;
constexpr std::chrono::milliseconds kLockInterval{10};
constexpr double kExactIntegers = 9007199254740992.0;  ///< 2^53

SortedJson canonical(const Json& value) {
  if (value.is_object()) {
    auto sorted = SortedJson::object();
    for (const auto& [name, member] : value.items()) sorted[name] = canonical(member);
    return sorted;
  }
  if (value.is_array()) {
    auto list = SortedJson::array();
    for (const auto& element : value) list.push_back(canonical(element));
    return list;
  }
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    if (std::trunc(number) == number && std::abs(number) <= kExactIntegers)
      return static_cast<std::int64_t>(number);
    return number;
  }
  return SortedJson(value);
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The point of a line with its key, or a discarded value: also where the point is not what was written.
Json parse_line(std::string_view line) {
  auto record = Json::parse(line, nullptr, false);
  if (!record.is_object() || !record.contains("key") || !record["key"].is_string() ||
      !record.contains("point") || !record.contains("sum") ||
      record["sum"] != stable_hash(text_of(record["point"])))
    return Json(Json::value_t::discarded);
  return record;
}

void sync_folder_of(const std::string& path) {
  auto folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  const UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.valid()) ::fsync(fd.get());  // some file systems cannot: then the name may be lost, not the rest
}

}  // namespace

std::string stable_hash(std::string_view bytes) {
  __extension__ using Wide = unsigned __int128;
  constexpr Wide kPrime = (Wide{1} << 88) | 0x13b;
  Wide hash = (Wide{0x6c62272e07bb0142ULL} << 64) | 0x62b821756295c58dULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  std::string digits(32, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, hash >>= 4)
    *digit = "0123456789abcdef"[static_cast<unsigned>(hash & 15)];
  return digits;
}

std::string point_key(const Json& resolved_point, const std::string& version) {
  auto counts = canonical(resolved_point);
  if (counts.is_object())
    for (const char* section : kWithoutEffect) counts.erase(section);
  const auto text = counts.dump(-1, ' ', false, SortedJson::error_handler_t::replace);
  return stable_hash(version + '\n' + text);
}

Journal::Journal(std::string path) : path_(std::move(path)) {
  file_ = UniqueFd(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file_.valid()) fail("cannot open");
  lock(file_, path_);
  load();
}

void Journal::lock(const UniqueFd& file, const std::string& path) {
  // The children of a run that was killed hold the lock until they are gone, too.
  for (int i = 0; i < kLockTries; ++i) {
    if (i > 0) std::this_thread::sleep_for(kLockInterval);
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return;
    if (errno != EWOULDBLOCK && errno != EINTR) return;  // a file system without locks
  }
  throw ConfigError(
      kKey, "another run is writing to '" + path + "'; let it finish, or choose another folder with --out");
}

void Journal::load() {
  const auto bytes = read_all();
  std::string_view rest = bytes;
  for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    const auto line = rest.substr(0, end);
    const auto record = parse_line(line);
    if (record.is_discarded())
      damaged_ += line.empty() ? 0 : 1;
    else
      lines_[record["key"].get<std::string>()] = {end_, end};
    end_ += static_cast<off_t>(end) + 1;
    rest.remove_prefix(end + 1);
  }
  if (!rest.empty()) finish_last_line(rest);
  if (bytes.empty()) sync_folder_of(path_);
}

void Journal::finish_last_line(std::string_view rest) {
  const auto record = parse_line(rest);
  const auto shared = std::min(rest.size(), kLineStart.size());
  if (record.is_discarded() && rest.substr(0, shared) == kLineStart.substr(0, shared)) {
    if (::ftruncate(file_.get(), end_) != 0) fail("cannot take the torn last line off");
    return;
  }
  if (record.is_discarded())
    ++damaged_;  // not ours: left alone
  else
    lines_[record["key"].get<std::string>()] = {end_, rest.size()};
  end_ += static_cast<off_t>(rest.size());
  write_at_end("\n");
}

std::optional<Json> Journal::find(const std::string& key) const {
  const auto found = lines_.find(key);
  if (found == lines_.end()) return std::nullopt;
  auto record = parse_line(read(found->second));
  if (record.is_discarded()) throw ConfigError(kKey, "'" + path_ + "' was changed while it was in use");
  return std::move(record["point"]);
}

void Journal::append(const std::string& key, std::size_t index, const Json& point) {
  Json record;
  record["key"] = key;
  record["index"] = index;
  record["point"] = point;
  record["sum"] = stable_hash(text_of(point));
  auto line = text_of(record);
  const Extent extent{end_, line.size()};
  line += '\n';
  write_at_end(line);
  lines_[key] = extent;
}

void Journal::keep(const std::vector<std::string>& keys) {
  std::unordered_map<std::string, Extent> lines;
  off_t size = 0;
  for (const auto& key : keys) {
    const auto found = lines_.find(key);
    if (found == lines_.end() || !lines.try_emplace(key, Extent{size, found->second.size}).second) continue;
    size += static_cast<off_t>(found->second.size) + 1;
  }
  if (lines.size() == lines_.size() && size == end_) return;  // there is nothing else
  Journal kept(path_ + ".new");
  if (::ftruncate(kept.file_.get(), 0) != 0) kept.fail("cannot empty");
  kept.end_ = 0;
  kept.lines_ = std::move(lines);
  std::string bytes;
  for (const auto& key : keys) {
    const auto line = kept.lines_.find(key);
    if (line == kept.lines_.end() || line->second.offset != kept.end_ + static_cast<off_t>(bytes.size()))
      continue;
    bytes += read(lines_.at(key)) + '\n';
    if (bytes.size() < kPiece) continue;
    kept.write_at_end(bytes);
    bytes.clear();
  }
  kept.write_at_end(bytes);
  if (std::rename(kept.path_.c_str(), path_.c_str()) != 0) kept.fail("cannot rename");
  file_ = std::move(kept.file_);
  lines_ = std::move(kept.lines_);
  end_ = kept.end_;
  damaged_ = 0;
}

void Journal::remove_if_empty() {
  if (lines_.empty() && damaged_ == 0) ::unlink(path_.c_str());
}

std::string Journal::read_all() const {
  const off_t size = ::lseek(file_.get(), 0, SEEK_END);
  if (size < 0) fail("cannot read");
  return read({0, static_cast<std::size_t>(size)});
}

std::string Journal::read(Extent extent) const {
  std::string bytes(extent.size, '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto got = ::pread(file_.get(), bytes.data() + done, bytes.size() - done,
                             extent.offset + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot read");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

void Journal::write_at_end(std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto written =
        ::pwrite(file_.get(), bytes.data() + done, bytes.size() - done, end_ + static_cast<off_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  if (done < bytes.size() || ::fsync(file_.get()) != 0) {
    const int error = errno;
    // If even this fails, the next opening finds a torn line.
    if (::ftruncate(file_.get(), end_) == 0) ::fsync(file_.get());
    errno = error;
    fail("cannot write to");
  }
  end_ += static_cast<off_t>(bytes.size());
}

void Journal::fail(const std::string& what) const {
  const int error = errno;
  throw ConfigError(kKey, what + " '" + path_ + "': " + std::strerror(error));
}

}  // namespace noctule
