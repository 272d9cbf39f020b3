// Finds the mpi4py that a Python interpreter would import. Looks at files where Python looks for modules; never runs
// the interpreter.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace dampi::launch {

/// Its extension module, the first that is found. Empty where there is none, or where the file is no Python interpreter
/// by its name (python3, python3.11). `environment` is what the ranks will get beside ours: PYTHONPATH there counts.
/// What the program itself adds to its path is not seen.
[[nodiscard]] std::filesystem::path mpi4py_of(const std::filesystem::path& interpreter,
                                              const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace dampi::launch
