// The kinds of epochs and what sets them apart, as epoch_kinds.def says.
#pragma once

#include "base/check.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dampi::replay {

/// What kind of operation is nondeterministic.
enum class EpochKind : std::uint8_t {
#define EPOCH_KIND(kind, ...) kind,
#include "replay/epoch_kinds.def"
#undef EPOCH_KIND
};

namespace epoch_kinds {

enum class Subject { takes, looks, requests };
enum class Nothing { never, not_yet, too_late };
enum class Reports { none, one, some, all };
enum class Answers { several, single };

/// One line of the table.
struct Line {
    std::string_view text;
    Subject subject;
    Nothing nothing;
    Reports reports;
    Answers answers;
    std::string_view words;
};

inline constexpr std::array lines = {
#define EPOCH_KIND(kind, text, subject, nothing, reports, answers, words) \
    Line{text, Subject::subject, Nothing::nothing, Reports::reports, Answers::answers, words},
#include "replay/epoch_kinds.def"
#undef EPOCH_KIND
};

[[nodiscard]] constexpr const Line& line(EpochKind kind) {
    const auto number = static_cast<std::size_t>(kind);
    DAMPI_CHECK(number < lines.size());
    return lines[number];
}

}  // namespace epoch_kinds

inline constexpr auto last_epoch_kind = static_cast<EpochKind>(epoch_kinds::lines.size() - 1);

/// Whether a number that comes from elsewhere is one of the kinds'.
[[nodiscard]] constexpr bool is_epoch_kind(std::uint32_t number) { return number < epoch_kinds::lines.size(); }

/// Whether its outcome is a message's source, and not a choice among requests.
[[nodiscard]] constexpr bool chooses_message(EpochKind kind) {
    return epoch_kinds::line(kind).subject != epoch_kinds::Subject::requests;
}

/// Whether it looks at a message and leaves it where it is, or to a receive to come.
[[nodiscard]] constexpr bool is_probe(EpochKind kind) {
    return epoch_kinds::line(kind).subject == epoch_kinds::Subject::looks;
}

/// Whether it is a receive, which takes the message.
[[nodiscard]] constexpr bool takes_message(EpochKind kind) {
    return epoch_kinds::line(kind).subject == epoch_kinds::Subject::takes;
}

/// Whether it may answer "nothing yet".
[[nodiscard]] constexpr bool is_polling(EpochKind kind) {
    return epoch_kinds::line(kind).nothing == epoch_kinds::Nothing::not_yet;
}

/// Whether it withdraws an operation, and may come too late for that.
[[nodiscard]] constexpr bool withdraws(EpochKind kind) {
    return epoch_kinds::line(kind).nothing == epoch_kinds::Nothing::too_late;
}

/// Whether an outcome without any message or request makes sense.
[[nodiscard]] constexpr bool may_come_to_nothing(EpochKind kind) {
    return epoch_kinds::line(kind).nothing != epoch_kinds::Nothing::never;
}

/// Whether it may report more requests than one.
[[nodiscard]] constexpr bool reports_several(EpochKind kind) {
    const epoch_kinds::Reports reports = epoch_kinds::line(kind).reports;
    return reports == epoch_kinds::Reports::some || reports == epoch_kinds::Reports::all;
}

/// Whether it reports exactly one of its requests.
[[nodiscard]] constexpr bool reports_one(EpochKind kind) {
    return epoch_kinds::line(kind).reports == epoch_kinds::Reports::one;
}

/// Whether it reports any number of its requests.
[[nodiscard]] constexpr bool reports_some(EpochKind kind) {
    return epoch_kinds::line(kind).reports == epoch_kinds::Reports::some;
}

/// Whether it reports all of its requests or nothing.
[[nodiscard]] constexpr bool reports_all(EpochKind kind) {
    return epoch_kinds::line(kind).reports == epoch_kinds::Reports::all;
}

/// Whether there is only one answer that it can give, but for the time at which it comes.
[[nodiscard]] constexpr bool has_single_answer(EpochKind kind) {
    return epoch_kinds::line(kind).answers == epoch_kinds::Answers::single;
}

/// Whether a call of this kind among `active` requests can report so many of them. Not for polling calls that answer
/// "nothing yet".
[[nodiscard]] constexpr bool may_report(EpochKind kind, std::size_t reported, std::size_t active) {
    switch (epoch_kinds::line(kind).reports) {
        case epoch_kinds::Reports::none:
            return reported == 0;
        case epoch_kinds::Reports::one:
            return reported == 1;
        case epoch_kinds::Reports::some:
            return reported != 0;
        case epoch_kinds::Reports::all:
            return reported == active;
    }
    return false;
}

}  // namespace dampi::replay
