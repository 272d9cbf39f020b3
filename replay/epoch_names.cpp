// See epoch_names.hpp.
#include "replay/epoch_names.hpp"

#include "base/check.hpp"

#include <array>
#include <utility>

namespace dampi::replay {

namespace {

constexpr std::array<std::pair<EpochKind, std::string_view>, 13> names{{
    {EpochKind::receive, "receive"},
    {EpochKind::probe, "probe"},
    {EpochKind::matched_probe, "matched-probe"},
    {EpochKind::polling_probe, "polling-probe"},
    {EpochKind::polling_matched_probe, "polling-matched-probe"},
    {EpochKind::wait_any, "wait-any"},
    {EpochKind::wait_some, "wait-some"},
    {EpochKind::test, "test"},
    {EpochKind::test_all, "test-all"},
    {EpochKind::test_any, "test-any"},
    {EpochKind::test_some, "test-some"},
    {EpochKind::get_status, "get-status"},
    {EpochKind::cancel, "cancel"},
}};

}  // namespace

std::string_view epoch_kind_name(EpochKind kind) {
    for (const auto& [candidate, name] : names) {
        if (candidate == kind) {
            return name;
        }
    }
    check_failed("the epoch's kind is known", __FILE__, __LINE__);
}

std::optional<EpochKind> epoch_kind_of(std::string_view name) {
    for (const auto& [kind, candidate] : names) {
        if (candidate == name) {
            return kind;
        }
    }
    return std::nullopt;
}

std::string_view clock_name(clocks::Protocol protocol) {
    return protocol == clocks::Protocol::lamport ? "lamport" : "vector";
}

std::optional<clocks::Protocol> clock_of(std::string_view name) {
    for (const clocks::Protocol protocol : {clocks::Protocol::lamport, clocks::Protocol::vector}) {
        if (name == clock_name(protocol)) {
            return protocol;
        }
    }
    return std::nullopt;
}

}  // namespace dampi::replay
