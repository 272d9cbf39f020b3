#include "heuristics/search_bounds.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace dampi::heuristics {
namespace {

using replay::Epoch;
using replay::EpochContext;
using replay::RunRecord;

const std::vector<replay::CodePlace>& stack_of(const RunRecord& record, const Epoch& epoch) {
    static const std::vector<replay::CodePlace> none;
    return epoch.context.stack < record.stacks.size() ? record.stacks[epoch.context.stack] : none;
}

/// The epochs of one place, reached by the same calls, in the same rank are the iterations of one loop.
class Loops {
public:
    explicit Loops(const RunRecord& record) {
        std::map<std::pair<replay::Rank, std::vector<replay::SourcePlace>>, std::size_t> known;
        of_epoch_.reserve(record.epochs.size());
        for (const Epoch& epoch : record.epochs) {
            std::vector<replay::SourcePlace> calls{replay::source_place(epoch.where)};
            for (const replay::CodePlace& frame : stack_of(record, epoch)) {
                calls.push_back(replay::source_place(frame));
            }
            of_epoch_.push_back(known.emplace(std::pair(epoch.id.rank, std::move(calls)), known.size()).first->second);
        }
        count_ = known.size();
    }

    [[nodiscard]] std::size_t of(std::size_t epoch) const { return of_epoch_[epoch]; }
    [[nodiscard]] std::size_t count() const { return count_; }

private:
    std::vector<std::size_t> of_epoch_;
    std::size_t count_ = 0;
};

/// What an iteration could do, and what the rank communicated then until it came to its next epoch, and to which.
using Pattern = std::tuple<std::set<std::uint64_t>, std::uint64_t, std::optional<std::size_t>>;

Pattern pattern_of(const RunRecord& record, const Loops& loops, std::size_t i) {
    const Epoch& epoch = record.epochs[i];
    std::set<std::uint64_t> possible;
    const auto possible_of = [](std::uint32_t poll, std::uint64_t what) {
        return std::uint64_t{poll} << 32 | (what & 0xffffffff);
    };
    if (replay::chooses_message(epoch.kind) && epoch.outcome && !epoch.outcome->gave_up()) {
        possible.insert(possible_of(epoch.poll, static_cast<std::uint64_t>(epoch.outcome->source)));
    }
    replay::for_each_poll(epoch, [&](const replay::PollView& poll) {
        for (const replay::PotentialMatch& match : poll.potential_matches) {
            possible.insert(possible_of(poll.number, static_cast<std::uint64_t>(match.source)));
        }
        for (const replay::Completable& completable : poll.completable) {
            possible.insert(possible_of(poll.number, completable.position));
        }
    });
    std::optional<std::size_t> next;
    if (i + 1 < record.epochs.size() && record.epochs[i + 1].id.rank == epoch.id.rank) {
        next = loops.of(i + 1);
    }
    return {std::move(possible), epoch.context.follow_up, next};
}

std::uint32_t less(std::uint32_t room, std::size_t steps) {
    return room == Room::unlimited ? room : static_cast<std::uint32_t>(room - std::min<std::size_t>(room, steps));
}

std::uint32_t sum(std::uint32_t a, std::uint32_t b) { return a > Room::unlimited - b ? Room::unlimited : a + b; }

}  // namespace

LeftOutWords words_for(LeftOutBy by, const SearchBoundSettings& settings) {
    switch (by) {
        case LeftOutBy::name:
            return {.reason = "names",
                    .what = "of calls that --explore and --skip leave out",
                    .remedy = "without these options they are explored"};
        case LeftOutBy::bracket:
            return {.reason = "brackets",
                    .what = "inside brackets of MPI_Pcontrol, where only the run's own match is taken",
                    .remedy = "--ignore-brackets includes them"};
        case LeftOutBy::loop_bound:
            return {.reason = "loop-bound",
                    .what = settings.loop_bound_automatic
                                ? "of iterations that brought no new pattern, by --loop-bound auto"
                                : "of iterations beyond --loop-bound " + std::to_string(*settings.loop_bound),
                    .remedy = "a larger --loop-bound, or none, includes more"};
        case LeftOutBy::mixing_bound:
            if (settings.mixing_bound) {
                return {.reason = "mixing-bound",
                        .what = "beyond --mixing-bound " + std::to_string(*settings.mixing_bound) +
                                (settings.mixing_unit == MixingUnit::zones ? " in zones" : ""),
                        .remedy = "a larger --mixing-bound, or none, includes more"};
            }
            return {.reason = "mixing-bound",
                    .what = "beyond the mixing bound of brackets of MPI_Pcontrol",
                    .remedy = "--ignore-brackets includes them"};
        case LeftOutBy::nothing:
            break;
    }
    check_failed("something is left out", __FILE__, __LINE__);
}

bool SearchBounds::needs_stacks() const {
    const auto by_place = [](const NamePattern& pattern) { return pattern.kind != NamePattern::Kind::communicator; };
    return settings_.loop_bound || settings_.loop_bound_automatic ||
           std::any_of(settings_.explore.begin(), settings_.explore.end(), by_place) ||
           std::any_of(settings_.skip.begin(), settings_.skip.end(), by_place);
}

bool SearchBounds::named_out(const RunRecord& record, const Epoch& epoch) const {
    const auto named = [&](const NamePattern& pattern) { return matches(pattern, epoch, stack_of(record, epoch)); };
    return (!settings_.explore.empty() && std::none_of(settings_.explore.begin(), settings_.explore.end(), named)) ||
           std::any_of(settings_.skip.begin(), settings_.skip.end(), named);
}

/// By epoch.
std::vector<bool> SearchBounds::beyond_loop_bound(const RunRecord& record) const {
    std::vector<bool> beyond(record.epochs.size(), false);
    if (!settings_.loop_bound && !settings_.loop_bound_automatic) {
        return beyond;
    }
    const Loops loops(record);
    std::vector<std::uint32_t> iterations(loops.count(), 0);
    std::vector<std::set<Pattern>> patterns(loops.count());
    for (std::size_t i = 0; i < record.epochs.size(); ++i) {
        beyond[i] = settings_.loop_bound ? ++iterations[loops.of(i)] > *settings_.loop_bound
                                         : !patterns[loops.of(i)].insert(pattern_of(record, loops, i)).second;
    }
    return beyond;
}

std::vector<StepBound> SearchBounds::of_steps(const RunRecord& record, const std::vector<std::size_t>& steps,
                                              const Room& room) const {
    const std::vector<bool> beyond = beyond_loop_bound(record);
    const bool names = !settings_.explore.empty() || !settings_.skip.empty();
    std::vector<StepBound> bounds;
    bounds.reserve(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Epoch& epoch = record.epochs[steps[i]];
        const EpochContext& context = epoch.context;
        StepBound& bound = bounds.emplace_back();
        if (names && named_out(record, epoch)) {
            bound.left_out_by = LeftOutBy::name;
        } else if (settings_.brackets && context.bracketed) {
            bound.left_out_by = LeftOutBy::bracket;
        } else if (beyond[steps[i]]) {
            bound.left_out_by = LeftOutBy::loop_bound;
        } else if (i >= room.steps || context.zone > room.last_zone) {
            bound.left_out_by = LeftOutBy::mixing_bound;
        }
        std::uint32_t mixing = settings_.mixing_bound.value_or(Room::unlimited);
        if (settings_.brackets && context.mixing_bound) {
            mixing = std::min(mixing, *context.mixing_bound);
        }
        bound.zone = context.zone;
        bound.room = room;
        if (settings_.mixing_unit == MixingUnit::epochs) {
            bound.room.steps = std::min(less(room.steps, i + 1), mixing);
        } else {
            bound.room.last_zone = std::min(room.last_zone, sum(context.zone, mixing));
        }
    }
    return bounds;
}

}  // namespace dampi::heuristics
