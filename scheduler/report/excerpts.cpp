#include "scheduler/report/excerpts.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace dampi::scheduler {

void Excerpts::add(const replay::CodePlace& place) {
    if (place.file.empty() || place.line <= 0 || excerpts_.size() >= most_excerpts ||
        !seen_.insert({place.file, place.line}).second) {
        return;
    }
    const int first = std::max(1, place.line - lines_around);
    const std::vector<std::string> lines = read_lines_(place.file, first, place.line + lines_around);
    if (lines.size() > static_cast<std::size_t>(place.line - first)) {
        excerpts_[fmt::format("{}:{}", place.file, place.line)] = {{"first", first}, {"lines", lines}};
    }
}

}  // namespace dampi::scheduler
