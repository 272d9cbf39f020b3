#include "scheduler/isp/findings.hpp"

#include "base/check.hpp"

#include <cctype>
#include <string_view>

namespace dampi::scheduler::isp {

Trouble trouble_of(const replay::Violation& violation) {
    const std::string_view kind = violation.kind;
    if (kind == "deadlock" || kind == "collective/mismatch" || kind == "livelock") {
        return Trouble::deadlock;
    }
    if (kind == "crash") {
        const bool asserted = !violation.situations.empty() && violation.situations.front().call == "assert";
        return asserted ? Trouble::assertion : Trouble::crash;
    }
    if (kind == "abort") {
        return Trouble::abort;
    }
    if (kind == "argument/rank" || kind == "argument/root") {
        return Trouble::invalid_rank;
    }
    if (kind.starts_with("argument/") || kind == "truncation") {
        return Trouble::refused;
    }
    if (kind == "exit" || kind == "hang") {
        return Trouble::crash;
    }
    return kind.starts_with("leak/") ? Trouble::leak : Trouble::none;
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
            return ExitCode::crashed;
    }
    check_failed("the trouble is known", __FILE__, __LINE__);
}

std::string resource_of(const replay::Violation& leak) {
    std::string resource = leak.kind.substr(leak.kind.find('/') + 1);
    if (!resource.empty()) {
        resource.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(resource.front())));
    }
    return resource;
}

}  // namespace dampi::scheduler::isp
