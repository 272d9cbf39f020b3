// What kinds of calls the parts of the machine tell apart. Pure.
#pragma once

#include "replay/central/protocol.hpp"
#include "replay/epoch.hpp"

namespace dampi::scheduler::central {

[[nodiscard]] inline bool is_test(replay::central::WaitMode mode) { return mode >= replay::central::WaitMode::test; }

[[nodiscard]] inline replay::EpochKind kind_of(replay::central::WaitMode mode) {
    switch (mode) {
        case replay::central::WaitMode::some:
            return replay::EpochKind::wait_some;
        case replay::central::WaitMode::test:
            return replay::EpochKind::test;
        case replay::central::WaitMode::test_all:
            return replay::EpochKind::test_all;
        case replay::central::WaitMode::test_any:
            return replay::EpochKind::test_any;
        case replay::central::WaitMode::test_some:
            return replay::EpochKind::test_some;
        case replay::central::WaitMode::get_status:
            return replay::EpochKind::get_status;
        case replay::central::WaitMode::all:
        case replay::central::WaitMode::any:
            break;
    }
    return replay::EpochKind::wait_any;
}

[[nodiscard]] inline replay::EpochKind kind_of(const replay::central::ProbeCall& call) {
    if (call.polling != 0) {
        return call.matched != 0 ? replay::EpochKind::polling_matched_probe : replay::EpochKind::polling_probe;
    }
    return call.matched != 0 ? replay::EpochKind::matched_probe : replay::EpochKind::probe;
}

/// Whether it reports all of its operations or nothing, so that there is nothing to choose but when.
[[nodiscard]] inline bool all_or_nothing(replay::central::WaitMode mode) {
    return mode == replay::central::WaitMode::all || mode == replay::central::WaitMode::test ||
           mode == replay::central::WaitMode::test_all || mode == replay::central::WaitMode::get_status;
}

}  // namespace dampi::scheduler::central
