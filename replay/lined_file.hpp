// A file of values that knows in which line each of its values stands, for sentences about what is wrong in it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace dampi::replay {

class LinedFile {
public:
    /// `name`: of the file. `lines`: of each value, by its pointer.
    LinedFile(std::string name, nlohmann::json value, std::map<std::string, std::size_t> lines);

    [[nodiscard]] const nlohmann::json& value() const { return value_; }
    /// "name:line" of the value at this pointer ("/sweeps/0/name"). Where there is none, of what was to hold it.
    [[nodiscard]] std::string place(const std::string& pointer) const;
    /// Throws dampi::Error, "name:line: ...", about the value at this pointer, likewise.
    [[noreturn]] void fail(const std::string& pointer, const std::string& what) const;

private:
    std::string name_;
    nlohmann::json value_;
    std::map<std::string, std::size_t> lines_;
};

/// JSON. Throws dampi::Error, "name:line: ...", where the text is none.
[[nodiscard]] LinedFile read_lined_json(std::string_view text, const std::string& name);

}  // namespace dampi::replay
