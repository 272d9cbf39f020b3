// The hosts that a user names, for workers or for the ranks of each run: a name, and how many there are to be.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dampi::scheduler {

struct HostLine {
    std::string host;
    std::uint32_t slots = 0;  ///< 0: not said

    bool operator==(const HostLine&) const = default;
};

/// HOST or HOST:N on each line; what follows a # is a comment. `option`: for whom, in errors. Throws dampi::Error
/// naming the line.
[[nodiscard]] std::vector<HostLine> read_hosts(const std::filesystem::path& file, const std::string& option);

/// The same, one after the other with commas. Throws dampi::Error.
[[nodiscard]] std::vector<HostLine> parse_hosts(const std::string& text, const std::string& option);

}  // namespace dampi::scheduler
