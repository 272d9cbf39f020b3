// The lines around the places of the source that a page names.
#pragma once

#include "replay/epoch.hpp"

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace dampi::scheduler {

/// Lines `first` to `last` of a source file; empty where they are not there.
using ReadLines = std::function<std::vector<std::string>(const std::string& file, int first, int last)>;

inline constexpr std::size_t most_excerpts = 400;  ///< places shown with their lines
inline constexpr int lines_around = 4;

class Excerpts {
public:
    /// `read_lines` outlives it.
    explicit Excerpts(const ReadLines& read_lines) : read_lines_(read_lines) {}

    void add(const replay::CodePlace& place);
    /// "file:line" -> {first, lines}
    [[nodiscard]] nlohmann::json take() { return std::move(excerpts_); }

private:
    const ReadLines& read_lines_;
    std::set<std::pair<std::string, int>> seen_;
    nlohmann::json excerpts_ = nlohmann::json::object();
};

}  // namespace dampi::scheduler
