// Goes through the text of a run's outcomes (format_outcomes()), word by word.
#pragma once

#include "replay/epoch.hpp"

#include <optional>
#include <string_view>

namespace dampi::scheduler {

/// "0#1<-2": what an epoch came to.
struct OutcomeWord {
    replay::EpochId epoch;
    std::string_view came_to;  ///< "<-2", "=0+1", "=none"; with "@1" before it, and "~3" behind
};

/// What a word says without how often a stretch of polls has answered false before.
[[nodiscard]] std::string_view without_false_answers(std::string_view word);

/// The epoch with the outcome that this word names, without how often it has answered false before: that is what its
/// run knows to come before it. Nothing if it could not have had it, as far as the run knows.
[[nodiscard]] std::optional<replay::Epoch> with_outcome(replay::Epoch epoch, std::string_view word);

/// Views into the text, which must stay. The digest at the end of a long one is no word.
class OutcomeWords {
public:
    explicit OutcomeWords(std::string_view text) : rest_(text) { take(); }

    [[nodiscard]] const std::optional<OutcomeWord>& now() const { return word_; }
    void take();

private:
    std::string_view rest_;
    std::optional<OutcomeWord> word_;
};

}  // namespace dampi::scheduler
