// What has become of a file of a corpus (scheduler/corpus): a plain value that the reports tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dampi::scheduler {

struct CorpusCase {
    enum class State : std::uint8_t {
        passes,   ///< its run shows no violation
        fails,    ///< its run shows `findings`
        stale,    ///< the program does not follow it any more
        other,    ///< it is for another program, number of processes or arguments
        not_run,  ///< the time was over before, the user interrupted, or its engine cannot run the program
    };

    std::string file;  ///< its name in the corpus
    State state = State::passes;
    std::string why;                    ///< for `stale`, `other` and perhaps `not_run`, a part of a sentence
    std::vector<std::size_t> findings;  ///< places in SweepResult::findings

    bool operator==(const CorpusCase&) const = default;
};

/// "passes", "fails", "stale", "other" or "not run".
[[nodiscard]] constexpr const char* text_of(CorpusCase::State state) {
    switch (state) {
        case CorpusCase::State::passes:
            return "passes";
        case CorpusCase::State::fails:
            return "fails";
        case CorpusCase::State::stale:
            return "stale";
        case CorpusCase::State::other:
            return "other";
        case CorpusCase::State::not_run:
            break;
    }
    return "not run";
}

}  // namespace dampi::scheduler
