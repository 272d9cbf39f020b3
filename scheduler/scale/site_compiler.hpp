// Compiles the programs of piggyback/site with the compiler of a site's MPI library.
#pragma once

#include "scheduler/scale/scale_bounds.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace dampi::scheduler::scale {

/// `compiler` is mpicc or the like, with arguments if need be. What is compiled lies in `folder` for a moment. Throws
/// dampi::Error with what the compiler says.
void compile_probe(const std::string& compiler, const std::filesystem::path& folder, const std::filesystem::path& into);

/// Likewise the library that goes round these bounds, and round displacements that have overflowed.
void compile_workarounds(const std::string& compiler, const std::vector<Bound>& bounds,
                         const std::filesystem::path& folder, const std::filesystem::path& into);

/// The words of a command, at the blanks. Throws dampi::Error where there are none, naming the option.
[[nodiscard]] std::vector<std::string> words_of_command(const std::string& text, const char* option);

}  // namespace dampi::scheduler::scale
