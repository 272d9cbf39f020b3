// A file of values, in JSON or TOML, that knows in which line each of its values stands, for sentences about what is
// wrong in it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace dampi::scheduler {

class LinedFile {
public:
    /// `name`: of the file. `lines`: of each value, by its pointer.
    LinedFile(std::string name, nlohmann::json value, std::map<std::string, std::size_t> lines);

    [[nodiscard]] const nlohmann::json& value() const { return value_; }
    /// Throws dampi::Error, "name:line: ...", about the value at this pointer ("/sweeps/0/name").
    [[noreturn]] void fail(const std::string& pointer, const std::string& what) const;

private:
    std::string name_;
    nlohmann::json value_;
    std::map<std::string, std::size_t> lines_;
};

/// These throw dampi::Error, "name:line: ...", where the text is none of that.
[[nodiscard]] LinedFile read_lined_json(std::string_view text, const std::string& name);
/// Days and times, infinity and what is no number become null.
[[nodiscard]] LinedFile read_lined_toml(std::string_view text, const std::string& name);

}  // namespace dampi::scheduler
