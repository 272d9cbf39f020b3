// A file in which a build of dampi keeps values for itself, as bytes. Any change of it is noticed: the second line is a
// check sum of all that follows, the third line says which build it was, and the rest is what was kept.
#pragma once

#include "base/check.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace dampi::scheduler {

struct KeptFile {
    std::string_view first_line;  ///< says what it is
    std::filesystem::path path;

    /// Atomically. Throws dampi::Error.
    void write(const std::string& build, std::string_view bytes) const;

    /// What was kept; nothing where another build has written it. Throws dampi::Error where it cannot be read, and
    /// where it is damaged; `advice` says what the user is to do then.
    [[nodiscard]] std::optional<std::string> read(const std::string& build, const std::string& advice) const;

    /// The sentence, with file and line.
    [[nodiscard]] Error damaged(int line, const std::string& advice) const;
};

/// All of a file. Throws dampi::Error where it cannot be read.
[[nodiscard]] std::string kept_bytes(const std::filesystem::path& path, const std::string& advice);

/// Of a text, in hexadecimal digits.
[[nodiscard]] std::string check_sum(std::string_view text);

}  // namespace dampi::scheduler
