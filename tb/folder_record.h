#pragma once
// What the commands have left in a result folder, so that files of an earlier run are never taken for those
// of a later one.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/json.h"
#include "trace/trace_session.h"

namespace noctule {

/// The file `files.json` of a result folder: per kind of command, the files that it has written there. Files
/// that are not in it (a user's own) are left alone. What cannot be read counts as empty; what cannot be
/// removed stays in the record.
class FolderRecord {
 public:
  /// `kind`: commands of one kind write the same files: "run" for run, sweep, compare and explore.
  FolderRecord(std::filesystem::path folder, std::string kind);

  /// This run writes this file; files outside of the folder are not recorded.
  void add(const std::filesystem::path& file);
  /// Writes a file of the folder, and adds it.
  void write(const std::string& name, const std::string& text);
  /// An earlier run wrote this file, whatever the record says.
  void add_earlier(const std::filesystem::path& file);
  /// Writes the record, earlier files included: should this run be killed, the next one knows what it left.
  void save() const;
  /// Removes what earlier runs wrote and this one did not, folders that become empty included, and writes the
  /// record. Says on standard error what was removed, unless `quiet`.
  void settle(bool quiet);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Names relative to the folder.
  [[nodiscard]] const std::set<std::string>& earlier() const { return earlier_; }

 private:
  [[nodiscard]] std::string inside(const std::filesystem::path& file) const;
  void write_list(const std::set<std::string>& files) const;

  std::filesystem::path folder_;
  std::string kind_;
  Json others_ = Json::object();  ///< of other kinds
  std::set<std::string> earlier_, mine_;
};

/// Adds what points trace into, with the viewer's helper files as far as they exist. `named_events`: event
/// logs have a name that the user gave, and are not the folder's.
void add_traces(FolderRecord& record, const std::vector<TraceOptions>& traces, bool named_events);

/// Adds as an earlier run's: the figures that scripts/plot says it drew into the folder `plots`, and the
/// helper files of save files that an earlier run wrote.
void add_earlier_helpers(FolderRecord& record);

}  // namespace noctule
