#include "piggyback/rank/arguments/scale_bounds.hpp"

#include <sstream>
#include <utility>

namespace dampi::piggyback::arguments {
namespace {

constexpr int forms = 5;

std::string_view without(std::string_view name, std::string_view ending) {
    return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name;
}

const char* unit_of(int form) {
    constexpr const char* units[forms] = {"bytes of all ranks", "elements of all ranks", "bytes of each rank",
                                          "elements of each rank", "elements of each rank"};
    return units[form];
}

}  // namespace

ScaleBounds::ScaleBounds(std::string_view text) {
    std::istringstream parts{std::string(text)};
    for (std::string part; std::getline(parts, part, ';');) {
        std::istringstream words(part);
        Bound bound;
        if (words >> bound.function >> bound.form >> bound.most >> bound.processes >> bound.element &&
            bound.form >= 0 && bound.form < forms && bound.most >= 0) {
            bounds_.push_back(std::move(bound));
        }
    }
}

std::string ScaleBounds::exceeded(std::string_view function, std::int64_t processes, std::int64_t element,
                                  std::int64_t elements) const {
    const std::string_view name = without(without(function, "_c"), "_init");
    for (const Bound& bound : bounds_) {
        const bool is_meant = bound.function == name &&
                              (bound.form != forms - 1 || (bound.processes == processes && bound.element == element));
        const std::int64_t factors[forms] = {processes * element, processes, element, 1, 1};
        const std::int64_t factor = factors[bound.form];
        if (is_meant && factor > 0 && elements > bound.most / factor) {
            return "more than this MPI library was seen to take: at most " + std::to_string(bound.most) + " " +
                   unit_of(bound.form);
        }
    }
    return "";
}

}  // namespace dampi::piggyback::arguments
