#include "tb/folder_record.h"

#include "core/error_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

#include "core/json.h"
#include "stats/tables.h"
#include "trace/gtkw.h"

namespace noctule {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "files.json";
constexpr std::size_t kMostNamed = 4;

Json read_json(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};  // to read a folder fails in the midst of it
  std::ifstream stream(file, std::ios::binary);
  return stream ? Json::parse(stream, nullptr, false) : Json();
}

/// Strings of a list that may be anything.
std::vector<std::string> strings_of(const Json& json, const char* key) {
  std::vector<std::string> list;
  if (!json.is_object() || !json.contains(key) || !json[key].is_array()) return list;
  for (const Json& name : json[key])
    if (name.is_string()) list.push_back(name.get<std::string>());
  return list;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto it = fs::directory_iterator(folder, error); !error && it != fs::end(it); it.increment(error))
    if (it->is_regular_file(error)) files.push_back(it->path());
  return files;
}

/// Of a removed file: its folder, and those above it up to the result folder, as far as they are empty.
void remove_empty_folders(const fs::path& file, const fs::path& top) {
  std::error_code error;
  for (fs::path folder = file.parent_path(); folder != top && !folder.empty(); folder = folder.parent_path())
    if (!fs::remove(folder, error) || error) return;
}

}  // namespace

FolderRecord::FolderRecord(fs::path folder, std::string kind)
    : folder_(std::move(folder)), kind_(std::move(kind)) {
  const Json known = read_json(folder_ / kFile);
  if (!known.is_object()) return;
  for (const auto& [key, list] : known.items())
    if (key != kind_) others_[key] = list;
  for (const auto& name : strings_of(known, kind_.c_str())) add_earlier(folder_ / name);
}

std::string FolderRecord::inside(const fs::path& file) const {
  const fs::path name = file.lexically_normal().lexically_relative(folder_.lexically_normal());
  return name.empty() || *name.begin() == ".." || name == "." ? "" : name.string();
}

void FolderRecord::add(const fs::path& file) {
  if (const auto name = inside(file); !name.empty()) mine_.insert(name);
}

void FolderRecord::write(const std::string& name, const std::string& text) {
  write_file_atomically((folder_ / name).string(), text);
  mine_.insert(name);
}

void FolderRecord::add_earlier(const fs::path& file) {
  if (const auto name = inside(file); !name.empty()) earlier_.insert(name);
}

void FolderRecord::save() const {
  std::set<std::string> all = earlier_;
  all.insert(mine_.begin(), mine_.end());
  write_list(all);
}

void FolderRecord::settle(bool quiet) {
  std::vector<std::string> removed;
  std::set<std::string> left = mine_;
  for (const auto& name : earlier_) {
    if (mine_.contains(name)) continue;
    const fs::path file = folder_ / name;
    std::error_code error;
    if (!fs::is_regular_file(fs::symlink_status(file, error))) continue;
    if (fs::remove(file, error) && !error) {
      removed.push_back(name);
      remove_empty_folders(file, folder_);
    } else {
      left.insert(name);
    }
  }
  write_list(left);
  earlier_ = std::move(left);
  if (removed.empty() || quiet) return;
  // What lies deeper are helper files.
  std::ranges::stable_sort(removed, {}, [](const auto& name) { return std::ranges::count(name, '/'); });
  std::string names;
  for (std::size_t i = 0; i < removed.size() && i < kMostNamed; ++i)
    names += (i == 0 ? "" : ", ") + removed[i];
  if (removed.size() > kMostNamed) names += fmt::format(" and {} more", removed.size() - kMostNamed);
  print_error("noctule: removed from {} what an earlier run left and this one does not make: {}\n",
              folder_.string(), names);
}

void FolderRecord::write_list(const std::set<std::string>& files) const {
  Json json = others_;
  json[kind_] = files;
  write_file_atomically((folder_ / kFile).string(), json.dump(1) + "\n");
}

void add_traces(FolderRecord& record, const std::vector<TraceOptions>& traces, bool named_events) {
  for (const auto& trace : traces) {
    for (const auto& file : {trace.vcd, trace.gtkw, named_events ? std::string() : trace.events})
      if (!file.empty()) record.add(file);
    if (!trace.gtkw.empty())
      for (const auto& file : files_in(translation_folder(trace.gtkw))) record.add(file);
  }
}

void add_earlier_helpers(FolderRecord& record) {
  const fs::path plots = record.folder() / "plots";
  const auto drawn = strings_of(read_json(plots / "drawn.json"), "files");
  for (const auto& name : drawn) record.add_earlier(plots / name);
  if (!drawn.empty()) record.add_earlier(plots / "drawn.json");
  const std::set<std::string> names = record.earlier();
  for (const auto& name : names)
    if (name.ends_with(".gtkw"))
      for (const auto& file : files_in(translation_folder((record.folder() / name).string())))
        record.add_earlier(file);
}

}  // namespace noctule
