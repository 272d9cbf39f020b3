// TOML as a file of values.
#pragma once

#include "replay/lined_file.hpp"

#include <string>
#include <string_view>

namespace dampi::scheduler {

/// Days and times, infinity and what is no number become null. Throws dampi::Error, "name:line: ...", where the text is
/// no TOML.
[[nodiscard]] replay::LinedFile read_lined_toml(std::string_view text, const std::string& name);

}  // namespace dampi::scheduler
