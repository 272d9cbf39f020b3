// See source_lines.hpp.
#include "scheduler/source_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace dampi::scheduler {
namespace {

constexpr std::size_t most_bytes_of_file = std::size_t{8} << 20;
constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::size_t longest_line = 300;

}  // namespace

const std::vector<std::string>& SourceLines::all(const std::string& file) {
    const auto [found, is_new] = files_.try_emplace(file);
    if (!is_new) {
        return found->second;
    }
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) {
        return found->second;
    }
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error || size > most_bytes_of_file || bytes_ + size > most_bytes) {
        return found->second;
    }
    bytes_ += size;
    // No more than that is read, whatever the file has become meanwhile.
    std::string text(static_cast<std::size_t>(size), '\0');
    std::ifstream opened(file, std::ios::binary);
    opened.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(opened.gcount()));
    std::istringstream in(std::move(text));
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r')) {
            line.pop_back();
        }
        if (line.size() > longest_line) {
            line.resize(longest_line);
        }
        found->second.push_back(std::move(line));
    }
    return found->second;
}

std::vector<std::string> SourceLines::lines(const std::string& file, int first, int last) {
    const std::vector<std::string>& whole = all(file);
    const auto begin = static_cast<std::size_t>(std::max(first, 1)) - 1;
    const auto end = std::min(whole.size(), static_cast<std::size_t>(std::max(last, 0)));
    return begin < end ? std::vector<std::string>(whole.begin() + static_cast<std::ptrdiff_t>(begin),
                                                  whole.begin() + static_cast<std::ptrdiff_t>(end))
                       : std::vector<std::string>{};
}

}  // namespace dampi::scheduler
