// The C programs of piggyback/site, which are part of dampi-scale and compiled where it runs, for the MPI library
// that is there (cmake/embed_sources.cmake).
#pragma once

#include <string_view>

namespace dampi::scheduler::scale {

/// The text of piggyback/site/NAME.c; empty where there is none.
[[nodiscard]] std::string_view site_source(std::string_view name);

}  // namespace dampi::scheduler::scale
