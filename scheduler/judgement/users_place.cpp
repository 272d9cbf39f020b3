#include "scheduler/judgement/users_place.hpp"

#include "replay/function_names.hpp"

#include <algorithm>

namespace dampi::scheduler {

void name_users_places(replay::Violation& violation, const std::vector<std::string>& wrappers) {
    const auto passes_on = [&wrappers](const replay::CodePlace& frame) {
        return std::any_of(wrappers.begin(), wrappers.end(),
                           [&frame](const std::string& name) { return replay::names_function(name, frame); });
    };
    for (replay::RankSituation& situation : violation.situations) {
        // Where it was outside MPI, the stack is that of another moment than the call that the place is of.
        const bool of_call = !situation.call.empty() || situation.last_call.empty();
        const auto users = std::find_if_not(situation.stack.begin(), situation.stack.end(), passes_on);
        if (of_call && users != situation.stack.begin() && users != situation.stack.end()) {
            situation.where = *users;
        }
    }
}

}  // namespace dampi::scheduler
