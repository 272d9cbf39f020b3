// How virtual time passes for a rank that is told "nothing yet": the same with both engines, in the run in which that
// is found and in all that repeat it, whatever other ranks do. docs/architecture/time.md has the reasons.
#pragma once

#include <algorithm>
#include <cstdint>

namespace dampi::replay {

/// How many of so many false answers the run itself has given, so many being additional.
constexpr std::uint32_t own_false_answers(std::uint32_t false_answers, std::uint32_t additional) {
    return false_answers - std::min(false_answers, additional);
}

/// What an answer "nothing yet" does to the time of the rank.
struct AnswerInTime {
    enum class Kind : std::uint32_t {
        timeless,    ///< nothing
        released,    ///< it comes because nobody else can go on: time passes if the program has looked at a clock
        additional,  ///< it is one more than in the run before, the `number`-th, counted from 0: time passes
    };
    static constexpr Kind last_kind = Kind::additional;
    Kind kind = Kind::timeless;
    std::uint32_t number = 0;
};

/// Of the next answer, after `before` of so many that are decided: the last `released` of those that the run itself has
/// given were such.
constexpr AnswerInTime answer_in_time(std::uint32_t before, std::uint32_t false_answers, std::uint32_t additional,
                                      std::uint32_t released) {
    const std::uint32_t own = own_false_answers(false_answers, additional);
    if (before >= false_answers || before < own - std::min(own, released)) {
        return {};
    }
    return before < own ? AnswerInTime{.kind = AnswerInTime::Kind::released}
                        : AnswerInTime{.kind = AnswerInTime::Kind::additional, .number = before - own};
}

/// How many of those after the next one are as that is, and need nothing else to be known.
constexpr std::uint32_t answers_likewise(std::uint32_t before, std::uint32_t false_answers, std::uint32_t additional,
                                         std::uint32_t released) {
    const std::uint32_t own = own_false_answers(false_answers, additional);
    const std::uint32_t first_released = own - std::min(own, released);
    if (before >= own) {
        return 0;
    }
    return (before < first_released ? first_released : own) - before - 1;
}

/// So many nanoseconds pass with the `number`-th answer, counted from 0, so that a time-out of any length comes soon:
/// one of five seconds takes thirteen of them.
[[nodiscard]] constexpr std::uint64_t time_of_false_answer(std::uint32_t number) {
    constexpr std::uint64_t millisecond = 1'000'000;
    constexpr std::uint64_t day = 86'400'000 * millisecond;
    return std::min(day, millisecond << std::min<std::uint32_t>(number, 40));
}

}  // namespace dampi::replay
