#include "scheduler/judgement/window_races.hpp"

#include <algorithm>

namespace dampi::scheduler {
namespace {

std::string bytes_of(const WindowAccess& access) {
    return access.first == access.last ? "byte " + std::to_string(access.first)
                                       : "bytes " + std::to_string(access.first) + " to " + std::to_string(access.last);
}

std::string memory_of(const WindowRace& race) {
    return race.target == buffer_of_origin ? "the buffer" : "rank " + std::to_string(race.target) + "'s memory";
}

}  // namespace

replay::Violation violation_of(const WindowRace& race, const replay::CodePlace& one, const replay::CodePlace& other) {
    replay::Violation violation{.kind = replay::ViolationKind::rma_race};
    const std::string on = " on " + race.window;
    const std::string calls = race.one.call +
                              (race.one.rank == race.other.rank ? "" : " of rank " + std::to_string(race.one.rank)) +
                              " and " + race.other.call + " of rank " + std::to_string(race.other.rank);
    const std::string place = "byte " + std::to_string(race.met) + " of " + memory_of(race);
    violation.message =
        race.target == buffer_of_origin
            ? calls + on + " use the same buffer, one of them writes into it, and neither was complete before the other"
            : calls + " both access " + place + on + ", and nothing orders them";
    violation.ranks = {std::min(race.one.rank, race.other.rank), std::max(race.one.rank, race.other.rank)};
    violation.ranks.erase(std::unique(violation.ranks.begin(), violation.ranks.end()), violation.ranks.end());
    const auto add = [&](const WindowAccess& access, const replay::CodePlace& where) {
        violation.situations.push_back({.rank = access.rank,
                                        .call = access.call,
                                        .detail = bytes_of(access) + " of " + memory_of(race),
                                        .where = where});
    };
    add(race.one, one);
    add(race.other, other);
    return violation;
}

}  // namespace dampi::scheduler
