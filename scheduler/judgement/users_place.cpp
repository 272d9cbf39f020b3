#include "scheduler/judgement/users_place.hpp"

#include "replay/function_names.hpp"

#include <algorithm>

namespace dampi::scheduler {

namespace {

using Stack = std::vector<replay::CodePlace>;

bool names_any(const std::vector<std::string>& wrappers, const replay::CodePlace& frame) {
    return std::any_of(wrappers.begin(), wrappers.end(),
                       [&frame](const std::string& name) { return replay::names_function(name, frame); });
}

Stack::const_iterator users_frame(const Stack& stack, const std::vector<std::string>& wrappers) {
    return std::find_if_not(stack.begin(), stack.end(),
                            [&](const replay::CodePlace& frame) { return names_any(wrappers, frame); });
}

/// The program has loaded or stored there, and which function of a library did it says little.
bool is_touch(const replay::Violation& violation, const replay::RankSituation& situation) {
    return (violation.kind == replay::ViolationKind::buffer_modified ||
            violation.kind == replay::ViolationKind::buffer_read) &&
           situation.call.empty();
}

bool is_systems(const replay::CodePlace& frame) {
    return is_in_systems_library(frame) || is_from_systems_header(frame);
}

/// Likewise, but for what lies in the system's libraries and headers, too; where all does, that alone.
Stack::const_iterator own_frame(const Stack& stack, const std::vector<std::string>& wrappers) {
    const auto own = std::find_if_not(stack.begin(), stack.end(), [&](const replay::CodePlace& frame) {
        return is_systems(frame) || names_any(wrappers, frame);
    });
    return own != stack.end() ? own : users_frame(stack, wrappers);
}

}  // namespace

bool is_in_systems_library(const replay::CodePlace& place) {
    return place.module.starts_with("/lib") || place.module.starts_with("/usr/lib");
}

bool is_from_systems_header(const replay::CodePlace& place) {
    return place.file.starts_with("/usr/include/") || place.file.starts_with("/usr/lib/");
}

void name_users_places(replay::Violation& violation, const std::vector<std::string>& wrappers) {
    for (replay::RankSituation& situation : violation.situations) {
        if (is_touch(violation, situation)) {
            const auto own = own_frame(situation.stack, wrappers);
            situation.where = own != situation.stack.end() && own->line > 0 ? *own : situation.where;
            continue;
        }
        // Where it was outside MPI, the stack is that of another moment than the call that the place is of.
        const bool of_call = !situation.call.empty() || situation.last_call.empty();
        const auto users = users_frame(situation.stack, wrappers);
        if (of_call && users != situation.stack.begin() && users != situation.stack.end()) {
            situation.where = *users;
        }
    }
}

void name_users_places(std::vector<replay::Epoch>& epochs, const std::vector<Stack>& stacks,
                       const std::vector<std::string>& wrappers) {
    for (replay::Epoch& epoch : epochs) {
        if (epoch.context.stack >= stacks.size()) {
            continue;
        }
        const Stack& stack = stacks[epoch.context.stack];
        if (std::none_of(stack.begin(), stack.end(), [&](const replay::CodePlace& frame) {
                return replay::source_place(frame) == replay::source_place(epoch.where);
            })) {
            epoch.context.stack = replay::EpochContext::no_stack;
            continue;
        }
        if (const auto own = own_frame(stack, wrappers); own != stack.end()) {
            epoch.where = *own;
        }
    }
}

}  // namespace dampi::scheduler
