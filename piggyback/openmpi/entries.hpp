// What both generators of this folder write at the entries of functions, in assembler, and how they are run. Build-time
// code: it is no part of any library.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::piggyback::openmpi {

/// Notes for the layer where the call comes from.
inline constexpr std::string_view note_place =
    "    movq dampi_openmpi_return@gottpoff(%rip), %r11\n    movq %rsp, %fs:(%r11)\n";

/// Functions of these names, which are seen from outside, begin here.
[[nodiscard]] std::string labels(const std::vector<std::string>& names);

/// Calls `generate` with the words of the command line: what is written, and MPICH's headers. What goes wrong is said
/// on stderr. The exit status: 0 in order, 1 it was not, 2 wrong usage, of which `output` is a part.
[[nodiscard]] int run_generator(
    const std::string& name, const std::string& output, const std::vector<std::string>& words,
    const std::function<void(const std::string& output, const std::vector<std::string>& headers)>& generate);

}  // namespace dampi::piggyback::openmpi
