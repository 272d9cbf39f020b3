#include "scheduler/engines/printed.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

namespace dampi::scheduler {

std::optional<std::uint64_t> digest_of_printed(const std::filesystem::path& file) {
    constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 20;
    std::error_code error;
    std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error == std::errc::no_such_file_or_directory) {
        error.clear();
        size = 0;
    }
    if (error || size > most_bytes) {
        return std::nullopt;
    }
    std::uint64_t sum = 0;  // of lines in any order
    if (size != 0) {
        std::ifstream input(file);
        for (std::string line; std::getline(input, line);) {
            sum += base::Hash().add(line).value();
        }
        if (!input.eof()) {
            return std::nullopt;
        }
    }
    return sum;
}

std::string take_printed(const std::filesystem::path& file, std::size_t most, std::string_view who) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error) {
        return {};
    }
    std::string text;
    {
        std::ifstream in(file, std::ios::binary);
        text.resize(static_cast<std::size_t>(std::min<std::uintmax_t>(size, most)));
        in.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(in.gcount()));
    }
    if (size > text.size()) {
        text += fmt::format("\n[{}: {} more bytes were printed, which are not kept]\n", who, size - text.size());
    }
    std::filesystem::remove(file, error);
    return text;
}

}  // namespace dampi::scheduler
