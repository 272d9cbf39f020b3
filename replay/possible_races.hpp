// The name under which accesses to windows are counted that conflict, and of which it is not certain that anything
// orders them: each may be a race. Of which call of which rank against which other one it is counted under longer
// names.
#pragma once

#include <string>
#include <string_view>

namespace dampi::replay {

constexpr const char* possible_races = "order of conflicting accesses";

/// "order of conflicting accesses: MPI_Put of rank 2, against MPI_Get of rank 0"
inline std::string possible_race_between(const std::string& one, const std::string& other) {
    return std::string(possible_races) + ": " + one + ", against " + other;
}

/// What stands behind the colon of such a name; empty where there is none.
constexpr std::string_view sides_of_possible_race(std::string_view name) {
    constexpr std::string_view begin = possible_races;
    return name.starts_with(begin) && name.size() > begin.size() + 2 ? name.substr(begin.size() + 2)
                                                                     : std::string_view();
}

}  // namespace dampi::replay
