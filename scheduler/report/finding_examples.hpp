// The programs of examples/findings, which are part of dampi-run (cmake/embed_sources.cmake).
#pragma once

#include <string_view>

namespace dampi::scheduler {

/// The text of examples/findings/NAME.c; empty where there is none.
[[nodiscard]] std::string_view finding_example(std::string_view name);

}  // namespace dampi::scheduler
