#include "scheduler/engines/printed.hpp"

#include "base/hash.hpp"

#include <fstream>
#include <string>
#include <system_error>

namespace dampi::scheduler {

std::optional<std::uint64_t> digest_of_printed(const std::filesystem::path& file) {
    constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 20;
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
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

}  // namespace dampi::scheduler
