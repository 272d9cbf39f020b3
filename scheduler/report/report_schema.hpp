// Which schema report.json has, for who writes it and for who reads an earlier one. docs/schemas describes it; it has
// another version where what a member means has changed, or one has gone.
#pragma once

#include <string_view>

namespace dampi::scheduler {

inline constexpr std::string_view report_schemas = "dampi-report/";  ///< and its version
inline constexpr int report_schema_version = 3;

}  // namespace dampi::scheduler
