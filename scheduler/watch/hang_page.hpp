// hang.html: a hang as the page that dampi-run makes shows a deadlock (scheduler/report/page).
#pragma once

#include "scheduler/watch/hang_report.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace dampi::scheduler::watch {

/// `command`: what has started the job; empty: it ran already. Throws dampi::Error when it cannot be written.
void write_hang_page(const std::filesystem::path& file, const HangReport& report,
                     const std::vector<std::string>& command);

}  // namespace dampi::scheduler::watch
