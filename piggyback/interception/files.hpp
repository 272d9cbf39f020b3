// The files of build-time programs that write code: read and written whole. Build-time code: it is no part of
// libdampi.so.
#pragma once

#include "piggyback/interception/function_table.hpp"
#include "piggyback/interception/prototypes.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace dampi::piggyback {

/// Throws dampi::Error when the file cannot be read.
[[nodiscard]] std::string read_file(const std::string& file);

/// Throws dampi::Error when the file cannot be written.
void write_file(const std::filesystem::path& file, const std::string& text);

/// As parse_table(). Throws dampi::Error when the file cannot be read, too.
[[nodiscard]] std::vector<TableLine> read_table(const std::string& file);

/// The prototypes of all headers by name; where two declare the same function, the first counts. Throws as
/// parse_prototypes(), and when a file cannot be read.
[[nodiscard]] std::map<std::string, Prototype> read_prototypes(const std::vector<std::string>& headers);

}  // namespace dampi::piggyback
