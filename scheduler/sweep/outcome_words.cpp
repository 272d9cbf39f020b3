#include "scheduler/sweep/outcome_words.hpp"

#include <charconv>
#include <cstddef>
#include <system_error>

namespace dampi::scheduler {

std::string_view without_false_answers(std::string_view word) { return word.substr(0, word.find('~')); }

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
