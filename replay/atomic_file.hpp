// Writes a file so that a reader, or a crash at any instant, sees either the old content or the new one.
#pragma once

#include <filesystem>
#include <string_view>

namespace dampi::replay {

/// Writes a temporary file in the same directory, brings it to the disk and renames it over `path`. The
/// directory must exist. Throws dampi::Error that names the file and the reason; then `path` is as before.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace dampi::replay
