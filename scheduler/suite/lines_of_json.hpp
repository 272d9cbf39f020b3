// JSON that knows in which line each of its values stands, for sentences about what is wrong in a file.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace dampi::scheduler {

class LinesOfJson {
public:
    /// Throws dampi::Error, "name:line: ..." where the text is not JSON.
    LinesOfJson(std::string_view text, std::string name);

    [[nodiscard]] const nlohmann::json& value() const { return value_; }
    /// Throws dampi::Error about the value at this pointer ("/sweeps/0/name").
    [[noreturn]] void fail(const std::string& pointer, const std::string& what) const;

private:
    std::string name_;
    nlohmann::json value_;
    std::map<std::string, std::size_t> lines_;  ///< by pointer
};

}  // namespace dampi::scheduler
