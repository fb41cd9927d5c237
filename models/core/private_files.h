#pragma once
// Files that this user's programs keep for each other, and that nobody else may change.

#include <filesystem>
#include <optional>
#include <string>

namespace noctule {

/// Is this a folder of this user, to which nobody else may write? Links are not followed.
[[nodiscard]] bool is_private_folder(const std::filesystem::path& folder);

/// Makes the folder (and those above it), or closes one that is ours to others, whatever the umask. False: it
/// is not to be used: it cannot be made, is no folder, or belongs to somebody else.
[[nodiscard]] bool make_private_folder(const std::filesystem::path& folder);

/// The content of a regular file that only its owner, this user, may change; nothing for any other.
[[nodiscard]] std::optional<std::string> read_private_file(const std::filesystem::path& file);

/// All or nothing: under another name first. False: it could not be written.
bool write_private_file(const std::filesystem::path& file, const std::string& text);

}  // namespace noctule
