// The text of a file.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace dampi::base {

/// As much of it as can be read; empty where it is not there. Never throws for the file's sake: those of a process
/// under /proc can vanish while they are read.
[[nodiscard]] inline std::string content_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

}  // namespace dampi::base
