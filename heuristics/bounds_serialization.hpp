// The bounds of the search and the order as bytes, for who keeps a sweep's request (see replay/serialization.hpp).
#pragma once

#include "heuristics/order.hpp"
#include "heuristics/search_bounds.hpp"
#include "replay/serialization.hpp"

namespace dampi::replay {

template <>
struct LastValue<heuristics::NamePattern::Kind> {
    static constexpr auto value = heuristics::NamePattern::Kind::communicator;
};
template <>
struct LastValue<heuristics::Order> {
    static constexpr auto value = heuristics::last_order;
};

}  // namespace dampi::replay

namespace boost::serialization {

template <typename Archive>
void serialize(Archive& archive, dampi::heuristics::NamePattern& pattern, unsigned /*version*/) {
    auto& [kind, name, line] = pattern;
    dampi::replay::members(archive, kind, name, line);
}

template <typename Archive>
void serialize(Archive& archive, dampi::heuristics::SearchBoundSettings& settings, unsigned /*version*/) {
    auto& [mixing_bound, mixing_unit, brackets, loop_bound, loop_bound_automatic, explore, skip] = settings;
    dampi::replay::members(archive, mixing_bound, mixing_unit, brackets, loop_bound, loop_bound_automatic, explore,
                           skip);
}

}  // namespace boost::serialization
