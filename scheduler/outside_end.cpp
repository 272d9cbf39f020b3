#include "scheduler/outside_end.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

constexpr std::array from_outside{SIGTERM, SIGKILL, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU};

}  // namespace

std::string signal_text(int signal) {
    const char* abbreviation = sigabbrev_np(signal);
    const char* description = sigdescr_np(signal);
    return fmt::format("SIG{} ({})", abbreviation != nullptr ? abbreviation : std::to_string(signal),
                       description != nullptr ? description : "unknown");
}

bool may_come_from_outside(int signal) {
    return std::find(from_outside.begin(), from_outside.end(), signal) != from_outside.end();
}

bool may_be_ended_from_outside(const replay::RunRecord& record) {
    return std::any_of(record.violations.begin(), record.violations.end(), [](const replay::Violation& violation) {
        return (violation.kind == replay::ViolationKind::crash ||
                violation.kind == replay::ViolationKind::divergence) &&
               std::any_of(from_outside.begin(), from_outside.end(), [&](int signal) {
                   return violation.message.find("by signal " + signal_text(signal)) != std::string::npos;
               });
    });
}

}  // namespace dampi::scheduler
