// The kinds of violations and what is known of each, as violation_kinds.def says.
#pragma once

#include "base/check.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string_view>

namespace dampi::replay {

/// What is wrong; in the order of the texts.
enum class ViolationKind : std::uint8_t {
#define VIOLATION_KIND(kind, ...) kind,
#include "replay/violation_kinds.def"
#undef VIOLATION_KIND
};

namespace violation_kinds {

enum class Severity { error, portability, doubt, warning };
enum class Group { ended, stuck, buffer, collective, leak, misuse, sanitizer, otherwise, type, usage };

/// One line of the table.
struct Line {
    std::string_view text;
    Severity severity;
    Group group;
    std::string_view sentence;
    std::string_view remedy;
};

inline constexpr std::array lines = {
#define VIOLATION_KIND(kind, text, severity, group, sentence, remedy) \
    Line{text, Severity::severity, Group::group, sentence, remedy},
#include "replay/violation_kinds.def"
#undef VIOLATION_KIND
};
static_assert(std::is_sorted(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.text < b.text; }),
              "reports list kinds in the order of their texts");

/// What reports and documents call it; violation_kinds.def says what each means.
[[nodiscard]] constexpr std::string_view name_of(Severity severity) {
    constexpr std::array<std::string_view, 4> names{"error", "portability", "doubt", "warning"};
    const auto number = static_cast<std::size_t>(severity);
    DAMPI_CHECK(number < names.size());
    return names[number];
}

[[nodiscard]] constexpr const Line& line(ViolationKind kind) {
    const auto number = static_cast<std::size_t>(kind);
    DAMPI_CHECK(number < lines.size());
    return lines[number];
}

}  // namespace violation_kinds

inline constexpr auto last_violation_kind = static_cast<ViolationKind>(violation_kinds::lines.size() - 1);

/// "leak/request" and the like.
[[nodiscard]] constexpr std::string_view text_of(ViolationKind kind) { return violation_kinds::line(kind).text; }

/// The inverse; nothing where the text is no kind's.
[[nodiscard]] constexpr std::optional<ViolationKind> violation_kind_of(std::string_view text) {
    for (std::size_t number = 0; number < violation_kinds::lines.size(); ++number) {
        if (violation_kinds::lines[number].text == text) {
            return static_cast<ViolationKind>(number);
        }
    }
    return std::nullopt;
}

/// A kind as a rank writes it to its log.
[[nodiscard]] constexpr std::uint32_t number_of(ViolationKind kind) { return static_cast<std::uint32_t>(kind); }

/// The inverse; nothing for what no rank of ours has written.
[[nodiscard]] constexpr std::optional<ViolationKind> violation_kind_of(std::uint32_t number) {
    return number < violation_kinds::lines.size() ? std::optional(static_cast<ViolationKind>(number)) : std::nullopt;
}

/// The tool's own doubts are verdicts of a run, but never violations of the program.
[[nodiscard]] constexpr bool is_doubt(ViolationKind kind) {
    return violation_kinds::line(kind).severity == violation_kinds::Severity::doubt;
}

/// A fault of the program's, with this MPI library or with another one.
[[nodiscard]] constexpr bool is_fault(violation_kinds::Severity severity) {
    return severity == violation_kinds::Severity::error || severity == violation_kinds::Severity::portability;
}

/// The run did not go as it was told.
[[nodiscard]] constexpr bool went_otherwise(ViolationKind kind) {
    return violation_kinds::line(kind).group == violation_kinds::Group::otherwise;
}

/// The run would not have gone on.
[[nodiscard]] constexpr bool is_stuck(ViolationKind kind) {
    return violation_kinds::line(kind).group == violation_kinds::Group::stuck;
}

/// A rank came to an end that it should not have.
[[nodiscard]] constexpr bool ends_rank(ViolationKind kind) {
    return violation_kinds::line(kind).group == violation_kinds::Group::ended;
}

/// Something was made and never freed, completed or received.
[[nodiscard]] constexpr bool is_leak(ViolationKind kind) {
    return violation_kinds::line(kind).group == violation_kinds::Group::leak;
}

/// A sanitizer of the compiler's has reported it.
[[nodiscard]] constexpr bool is_sanitizers(ViolationKind kind) {
    return violation_kinds::line(kind).group == violation_kinds::Group::sanitizer;
}

/// A call was handed what it may not be.
[[nodiscard]] constexpr bool is_misuse(ViolationKind kind) {
    return violation_kinds::line(kind).group == violation_kinds::Group::misuse;
}

/// Operations of a rank use memory that they may not use.
[[nodiscard]] constexpr bool is_about_buffers(ViolationKind kind) {
    return violation_kinds::line(kind).group == violation_kinds::Group::buffer;
}

/// For tests that print one.
inline std::ostream& operator<<(std::ostream& out, ViolationKind kind) { return out << text_of(kind); }

}  // namespace dampi::replay
