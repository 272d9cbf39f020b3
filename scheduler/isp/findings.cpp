#include "scheduler/isp/findings.hpp"

#include "base/check.hpp"

#include <cctype>
#include <string_view>

namespace dampi::scheduler::isp {

Trouble trouble_of(const replay::Violation& violation) {
    using replay::ViolationKind;
    const ViolationKind kind = violation.kind;
    if (kind == ViolationKind::deadlock || kind == ViolationKind::collective_mismatch ||
        kind == ViolationKind::livelock) {
        return Trouble::deadlock;
    }
    if (kind == ViolationKind::crash) {
        const bool asserted = !violation.situations.empty() && violation.situations.front().call == "assert";
        return asserted ? Trouble::assertion : Trouble::crash;
    }
    if (kind == ViolationKind::abort) {
        return Trouble::abort;
    }
    if (kind == ViolationKind::argument_rank || kind == ViolationKind::argument_root) {
        return Trouble::invalid_rank;
    }
    if (replay::is_misuse(kind)) {
        return Trouble::refused;
    }
    if (kind == ViolationKind::exit || kind == ViolationKind::hang) {
        return Trouble::crash;
    }
    if (replay::is_leak(kind)) {
        return Trouble::leak;
    }
    return replay::violation_kinds::line(kind).severity == replay::violation_kinds::Severity::error ? Trouble::other
                                                                                                    : Trouble::none;
}

ExitCode exit_code_of(Trouble trouble) {
    switch (trouble) {
        case Trouble::none:
        case Trouble::leak:
            return ExitCode::verified;
        case Trouble::deadlock:
            return ExitCode::deadlock;
        case Trouble::assertion:
            return ExitCode::assertion;
        case Trouble::abort:
            return ExitCode::abort;
        case Trouble::invalid_rank:
            return ExitCode::invalid_rank;
        case Trouble::refused:
        case Trouble::crash:
        case Trouble::other:
            return ExitCode::crashed;
    }
    check_failed("the trouble is known", __FILE__, __LINE__);
}

std::string resource_of(const replay::Violation& leak) {
    const std::string_view kind = text_of(leak.kind);
    std::string resource(kind.substr(kind.find('/') + 1));
    if (!resource.empty()) {
        resource.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(resource.front())));
    }
    return resource;
}

}  // namespace dampi::scheduler::isp
