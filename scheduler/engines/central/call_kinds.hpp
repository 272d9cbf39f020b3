// What kinds of calls the parts of the machine tell apart. Pure.
#pragma once

#include "replay/epoch.hpp"
#include "transport/requests/protocol.hpp"

namespace dampi::scheduler::central {

[[nodiscard]] inline bool is_test(transport::requests::WaitMode mode) {
    return mode >= transport::requests::WaitMode::test;
}

[[nodiscard]] inline replay::EpochKind kind_of(transport::requests::WaitMode mode) {
    switch (mode) {
        case transport::requests::WaitMode::some:
            return replay::EpochKind::wait_some;
        case transport::requests::WaitMode::test:
            return replay::EpochKind::test;
        case transport::requests::WaitMode::test_all:
            return replay::EpochKind::test_all;
        case transport::requests::WaitMode::test_any:
            return replay::EpochKind::test_any;
        case transport::requests::WaitMode::test_some:
            return replay::EpochKind::test_some;
        case transport::requests::WaitMode::get_status:
            return replay::EpochKind::get_status;
        case transport::requests::WaitMode::all:
        case transport::requests::WaitMode::any:
            break;
    }
    return replay::EpochKind::wait_any;
}

[[nodiscard]] inline replay::EpochKind kind_of(const transport::requests::ProbeCall& call) {
    if (call.polling != 0) {
        return call.matched != 0 ? replay::EpochKind::polling_matched_probe : replay::EpochKind::polling_probe;
    }
    return call.matched != 0 ? replay::EpochKind::matched_probe : replay::EpochKind::probe;
}

/// Whether it reports all of its operations or nothing, so that there is nothing to choose but when.
[[nodiscard]] inline bool all_or_nothing(transport::requests::WaitMode mode) {
    return mode == transport::requests::WaitMode::all || mode == transport::requests::WaitMode::test ||
           mode == transport::requests::WaitMode::test_all || mode == transport::requests::WaitMode::get_status;
}

[[nodiscard]] inline bool reports_several(transport::requests::WaitMode mode) {
    return mode == transport::requests::WaitMode::some || mode == transport::requests::WaitMode::test_some;
}

}  // namespace dampi::scheduler::central
