// Writes a file so that a reader, or a crash at any instant, sees either the old content or the new one.
#pragma once

#include <filesystem>
#include <string_view>

namespace dampi::base {

/// Writes a file without a name in the same directory (where the file system has no such files, a temporary one),
/// brings it to the disk and gives it the name `path`. The directory must exist. Throws dampi::Error that names the
/// file and the reason; then `path` is as before. What is no plain file (a device, a pipe) stays what it is: the
/// content is written into it.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Such as /dev/stdout, whatever that is at present.
[[nodiscard]] bool is_no_plain_file(const std::filesystem::path& path);

}  // namespace dampi::base
