// See budget.hpp.
#include "heuristics/budget.hpp"

#include "base/check.hpp"

#include <algorithm>

namespace dampi::heuristics {

namespace {

/// Seconds without needless zeros: "1.5", "60", "0.001".
std::string seconds(std::chrono::milliseconds duration) {
    std::string text = std::to_string(duration.count() / 1000);
    if (const auto rest = duration.count() % 1000; rest != 0) {
        std::string digits = std::to_string(1000 + rest).substr(1);
        digits.erase(digits.find_last_not_of('0') + 1);
        text += "." + digits;
    }
    return text;
}

}  // namespace

std::optional<ReachedBound> Budget::reached(const Spending& spending) const {
    if (limits_.stop_on_first && spending.findings > 0) {
        return ReachedBound{"stop-on-first", "exploration stopped at the first violation, as --stop-on-first asks"};
    }
    if (limits_.max_interleavings && spending.explored >= *limits_.max_interleavings) {
        return ReachedBound{"max-interleavings", "exploration stopped at the bound of --max-interleavings " +
                                                     std::to_string(*limits_.max_interleavings)};
    }
    if (limits_.time_limit && spending.elapsed >= *limits_.time_limit) {
        return time_is_over();
    }
    return std::nullopt;
}

std::optional<std::chrono::milliseconds> Budget::time_left(std::chrono::milliseconds elapsed) const {
    if (!limits_.time_limit) {
        return std::nullopt;
    }
    return std::max(std::chrono::milliseconds{0}, *limits_.time_limit - elapsed);
}

ReachedBound Budget::time_is_over() const {
    DAMPI_CHECK(limits_.time_limit.has_value());
    return {"time-limit",
            "exploration stopped at the bound of --time-limit " + seconds(*limits_.time_limit) + " (seconds)"};
}

}  // namespace dampi::heuristics
