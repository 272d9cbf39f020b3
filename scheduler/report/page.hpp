// report.html: one file that shows a sweep's result in a browser. Everything is in it, nothing is fetched, and a
// content security policy allows nothing but its own script and style; what comes from the program is data, never
// markup.
#pragma once

#include "scheduler/report/verdict.hpp"

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace dampi::scheduler {

/// Data of more bytes is compressed.
inline constexpr std::size_t most_plain_data = std::size_t{1} << 20;

/// The whole file. `data`: make_page_data(). Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string make_page(const nlohmann::json& data);

/// The source of a script or style as a content security policy names it: by the hash of its content. `digest`: SHA-256
/// in hexadecimal digits.
[[nodiscard]] std::string policy_source(std::string_view digest);

/// Writes the page atomically, with the lines of the source files that are there. Throws dampi::Error.
void write_page(const std::filesystem::path& path, const ReportInputs& inputs);

}  // namespace dampi::scheduler
