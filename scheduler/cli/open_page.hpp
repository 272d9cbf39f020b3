// Shows a file to the user in a browser, which runs on when dampi-run has ended. No shell sees the file's name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// The commands that may show it, the first one to be tried first: those of the variable BROWSER (`browser`; null or
/// empty: none), which colons separate, and xdg-open. The words of a command are separated by spaces; "%s" in one
/// stands for the file, which is the last word otherwise.
[[nodiscard]] std::vector<std::vector<std::string>> browser_commands(const char* browser, const std::string& file);

/// Starts them until one does not fail at once; that one may run on. A sentence that says what was tried and what to do
/// where all fail; otherwise empty.
[[nodiscard]] std::string open_page(const std::filesystem::path& page);

}  // namespace dampi::scheduler
