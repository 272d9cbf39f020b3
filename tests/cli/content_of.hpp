// All that a file has; nothing where there is none.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace dampi::harness {

[[nodiscard]] inline std::string content_of(const std::filesystem::path& file) {
    std::ifstream input(file);
    return {std::istreambuf_iterator<char>(input), {}};
}

}  // namespace dampi::harness
