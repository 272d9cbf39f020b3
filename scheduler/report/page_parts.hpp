// The files of scheduler/report/page as they were when dampi was built: what report.html is made of beside its data.
// The definitions are generated (embed_page.cmake).
#pragma once

#include <string_view>

namespace dampi::scheduler {

/// The page without its parts, whose places are marked: @POLICY@, @STYLE@, @SCRIPT@ and @DATA@, each once.
[[nodiscard]] std::string_view page_template();

[[nodiscard]] std::string_view page_style();
[[nodiscard]] std::string_view page_script();

/// Their SHA-256, as 64 hexadecimal digits.
[[nodiscard]] std::string_view page_style_digest();
[[nodiscard]] std::string_view page_script_digest();

}  // namespace dampi::scheduler
