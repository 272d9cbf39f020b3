#include "scheduler/sweep/outcome_words.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

namespace dampi::scheduler {

std::string_view without_false_answers(std::string_view word) { return word.substr(0, word.find('~')); }

std::optional<replay::Epoch> with_outcome(replay::Epoch epoch, std::string_view word) {
    replay::Outcome outcome;
    const auto number = [&](auto& value) {
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        word.remove_prefix(static_cast<std::size_t>(end - word.data()));
        return error == std::errc();
    };
    if (word.starts_with('@')) {
        word.remove_prefix(1);
        if (!number(outcome.poll)) {
            return std::nullopt;
        }
    }
    if (epoch.outcome->poll != outcome.poll) {
        if (!replay::describe_by(epoch, outcome.poll)) {
            return std::nullopt;
        }
        outcome.false_answers = epoch.before;
    } else {
        outcome.false_answers = epoch.outcome->false_answers;
    }
    if (word.starts_with("<-") == !replay::chooses_message(epoch.kind)) {
        return std::nullopt;
    }
    if (word.starts_with("<-")) {
        word.remove_prefix(2);
        if (!number(outcome.source) || !word.empty()) {
            return std::nullopt;
        }
        const auto found = std::find_if(epoch.potential_matches.begin(), epoch.potential_matches.end(),
                                        [&](const auto& match) { return match.source == outcome.source; });
        if (found == epoch.potential_matches.end()) {
            return std::nullopt;
        }
        outcome.tag = found->tag;
        outcome.number = found->number;
    } else {
        while (word.starts_with(outcome.completed.empty() ? '=' : '+')) {
            word.remove_prefix(1);
            if (!number(outcome.completed.emplace_back())) {
                return std::nullopt;
            }
        }
        if (!word.empty() || outcome.completed.empty()) {
            return std::nullopt;
        }
    }
    epoch.outcome = std::move(outcome);
    return epoch;
}

void OutcomeWords::take() {
    word_.reset();
    const std::size_t begin = rest_.find_first_not_of("{ ");
    if (begin == std::string_view::npos) {
        return;
    }
    rest_.remove_prefix(begin);
    const std::string_view text = rest_.substr(0, rest_.find_first_of(" }"));
    OutcomeWord word;
    const char* const end = text.data() + text.size();
    const auto rank = std::from_chars(text.data(), end, word.epoch.rank);
    if (rank.ec != std::errc{} || rank.ptr == end || *rank.ptr != '#') {
        return;
    }
    const auto index = std::from_chars(rank.ptr + 1, end, word.epoch.index);
    if (index.ec != std::errc{}) {
        return;
    }
    word.came_to = text.substr(static_cast<std::size_t>(index.ptr - text.data()));
    rest_.remove_prefix(text.size());
    word_ = word;
}

}  // namespace dampi::scheduler
