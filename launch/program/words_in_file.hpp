// Which names stand in a file as words of their own: of variables that a program may look up, for instance. A name that
// is put together when the program runs is not seen.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace dampi::launch {

/// Those of `names` (of letters, digits and underscores) that the file has with none of these before and behind them.
/// Throws dampi::Error when the file cannot be read.
std::set<std::string> words_in_file(const std::filesystem::path& file, const std::set<std::string>& names);

}  // namespace dampi::launch
