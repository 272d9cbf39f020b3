// What can be chosen when all ranks stand at fences.
#include "scheduler/engines/central/machine.hpp"

#include "scheduler/engines/central/call_kinds.hpp"

#include <algorithm>

namespace dampi::scheduler::central {
namespace {

using base::any_source;
using base::ReceiveSpec;
using clocks::Snapshot;
using namespace transport::requests;

}  // namespace

bool Machine::all_at_fences() const {
    return std::all_of(processes_.begin(), processes_.end(),
                       [](const Process& each) { return each.ended || each.finalized || each.fence.index() != 0; });
}

std::uint64_t Machine::random() {  // splitmix64
    std::uint64_t z = (random_state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

/// What the probe sees, if anything: also of a named source, where what that one has sent may be late.
bool Machine::is_choice(const ProbeFence& probe) const {
    return probe.asked == any_source || (delays_.are_there() && probe.call.polling != 0 && !probe.decided);
}

/// What can be chosen of this rank's.
void Machine::add_options(Rank rank, std::vector<Option>& found) {
    Process& own = process(rank);
    const auto add_messages = [&](const ReceiveSpec& spec, Operation receive) {
        for (auto it = own.unexpected.lower_bound({spec.comm, 0});
             it != own.unexpected.end() && it->first.first == spec.comm; ++it) {
            if (spec.source != any_source && spec.source != it->first.second) {
                continue;
            }
            const MessageIndex index = matchable(own, spec, it->first.second, receive);
            if (index != no_message &&
                (receive != no_operation || can_be_seen(own, std::get<ProbeFence>(own.fence), index))) {
                found.push_back({.rank = rank, .receive = receive, .message = index});
            }
        }
    };
    if (own.unexpected.empty() && !std::holds_alternative<WaitFence>(own.fence)) {
        return;
    }
    for (auto at = own.posted.begin(); at != own.posted.end() && !own.unexpected.empty(); ++at) {
        const ReceiveSpec spec = asked(own.postings.at(at->second).receive);
        if (spec.source == any_source) {
            add_messages(spec, at->second);
        }
    }
    if (own.polling && own.polling->held) {
        return;  // it is decided what it answers
    }
    if (const auto* probe = std::get_if<ProbeFence>(&own.fence)) {
        if (is_choice(*probe)) {
            add_messages({.comm = probe->call.comm, .source = probe->asked, .tag = probe->call.tag}, no_operation);
        }
    } else if (const auto* wait = std::get_if<WaitFence>(&own.fence)) {
        if (!all_or_nothing(wait->call.mode) && wait->call.operations.size() >= 2 && wait->decided.empty() &&
            !complete_places(own, *wait).empty()) {
            found.push_back({.rank = rank});
        }
    }
}

/// All that can be chosen; without a seed only the first.
std::vector<Machine::Option> Machine::options() {
    std::vector<Option> found;
    const bool one = settings_.free_seed == 0 && !settings_.oldest_first;
    for (Rank rank = 0; rank < settings_.processes && (!one || found.empty()); ++rank) {
        add_options(rank, found);
    }
    if (settings_.oldest_first) {
        keep_one_operation(found);
    }
    return found;
}

/// What one operation can come to: the one for which there is what came after the fewest outcomes. In whatever order
/// operations are settled, all outcomes are explored; in the same one runs come to the same states, and in this one
/// little is sent later without knowing of what was settled.
void Machine::keep_one_operation(std::vector<Option>& options) const {
    const auto past = [&](const Option& option) {
        const Snapshot& known =
            option.message == no_message ? process(option.rank).record.clocks().now() : messages_[option.message].clock;
        return known ? known->clock.vector.size() : 0;
    };
    const auto first = std::min_element(options.begin(), options.end(),
                                        [&](const Option& a, const Option& b) { return past(a) < past(b); });
    if (first != options.end()) {
        std::erase_if(options, [chosen = *first](const Option& option) {
            return option.rank != chosen.rank || option.receive != chosen.receive;
        });
    }
}

bool Machine::may_choose() {
    return !options().empty() || std::any_of(processes_.begin(), processes_.end(),
                                             [this](const Process& each) { return polls_freely(each); });
}

bool Machine::may_choose_anew() {
    return !options().empty() || std::any_of(processes_.begin(), processes_.end(), [this](const Process& each) {
        return polls_freely(each) && (!each.polling || each.polling->false_answers == 0);
    });
}

Channel Machine::channel_of(const Option& option) const {
    return {option.message == no_message ? option.rank : messages_[option.message].source, option.rank};
}

/// Of who has sent what a receive has got; otherwise the rank's own.
Channel Machine::channel_of(Rank rank, Operation operation) const {
    const Posting& posting = process(rank).postings.at(operation);
    const MessageIndex message =
        posting.kind == Posting::Kind::matched_receive ? posting.message : posting.receive.message;
    return {message == no_message ? rank : messages_[message].source, rank};
}

/// Puts what is late out of the options.
void Machine::leave_out_late(std::vector<Option>& found) {
    std::vector<Channel> channels;
    for (const Option& option : found) {
        if (option.message != no_message && polls_freely(process(option.rank))) {
            channels.push_back(channel_of(option));
        }
    }
    delays_.look(channels, [this] { return random(); });
    std::erase_if(
        found, [&](const Option& option) { return option.message != no_message && delays_.holds(channel_of(option)); });
}

bool Machine::choose() {
    std::vector<Option> found = options();
    if (delays_.are_there() && !found.empty()) {
        leave_out_late(found);
    }
    if (found.empty()) {
        return false;
    }
    const Option& option = found[pick(found)];
    if (option.receive != no_operation) {
        match(option.rank, option.receive, option.message);
        return true;
    }
    if (option.message != no_message) {
        answer_probe(option.rank, option.message);
        return true;
    }
    report(option.rank, pick_places(option.rank, std::get<WaitFence>(process(option.rank).fence)));
    return true;
}

std::size_t Machine::pick(const std::vector<Option>& options) {
    if (settings_.free_seed == 0) {
        return 0;
    }
    std::vector<Channel> channels;
    for (const Option& option : options) {
        channels.push_back(channel_of(option));
    }
    return preferences_.one(channels, [this] { return random(); });
}

/// Which of the complete requests the call reports.
std::vector<std::uint32_t> Machine::pick_places(Rank rank, const WaitFence& fence) {
    const bool several = reports_several(fence.call.mode);
    std::vector<std::uint32_t> places = complete_places(process(rank), fence);
    if (settings_.free_seed == 0) {
        places.resize(several ? places.size() : 1);
        return places;
    }
    std::vector<Channel> channels;
    for (const std::uint32_t place : places) {
        channels.push_back(channel_of(rank, fence.call.operations[place]));
    }
    const auto numbers = [this] { return random(); };
    std::vector<std::uint32_t> chosen;
    for (const std::size_t i : several ? preferences_.some(channels, numbers)
                                       : std::vector<std::size_t>{preferences_.one(channels, numbers)}) {
        chosen.push_back(places[i]);
    }
    return chosen;
}

bool Machine::polls_freely(const Process& own) const {
    if (const auto* wait = std::get_if<WaitFence>(&own.fence)) {
        return is_test(wait->call.mode) && wait->choice && wait->decided.empty() && !wait->cannot_be_false;
    }
    const auto* probe = std::get_if<ProbeFence>(&own.fence);
    return probe != nullptr && probe->call.polling != 0 && !probe->decided;
}

bool Machine::polls(Rank rank) const { return polls_freely(process(rank)); }

bool Machine::release_poll() {
    Rank longest = any_source;
    for (Rank rank = 0; rank < settings_.processes; ++rank) {
        if (polls_freely(process(rank)) &&
            (longest == any_source || process(rank).fence_number < process(longest).fence_number)) {
            longest = rank;
        }
    }
    if (longest == any_source) {
        return false;
    }
    // Who polls in vain for long counts his polls, if he stops at all.
    constexpr std::uint32_t polls_per_unasked = 16;
    return release_poll(longest, 1 + process(longest).polling->false_answers / polls_per_unasked);
}

bool Machine::release_poll(Rank rank, std::uint32_t calls) {
    if (!polls_freely(process(rank))) {
        return false;
    }
    answer_freely(rank, true, calls - 1);
    return true;
}

bool Machine::lose_patience_with_poll(Rank rank) {
    // So often the others may keep it from what is there, where a busy machine never lets all of them wait at once.
    constexpr std::uint32_t most_in_vain = 16;
    Process& own = process(rank);
    if (!polls_freely(own)) {
        return false;
    }
    std::vector<Option> found;
    add_options(rank, found);
    if (!found.empty()) {
        ++kept_waiting_;
        if (++own.polling->kept_waiting > most_in_vain && choose()) {
            return true;
        }
    }
    answer_freely(rank, false, 0);
    return true;
}

/// A poll of which nothing is decided any more answers "nothing yet". In a stretch that has had additional false
/// answers further ones are such as well: those come last in what is recorded, and time is to pass in the same order
/// when it is repeated.
void Machine::answer_freely(Rank rank, bool released, std::uint32_t unasked) {
    Polling& polling = *process(rank).polling;
    const replay::Decision* decision = process(rank).record.decision(polling.choice);
    if (settings_.virtual_time && decision != nullptr && decision->open && decision->additional != 0) {
        const std::uint32_t own = replay::own_false_answers(decision->outcome.false_answers, decision->additional);
        answer_nothing_yet(rank, {.kind = replay::AnswerInTime::Kind::additional,
                                  .number = polling.false_answers - std::min(polling.false_answers, own)});
        return;
    }
    polling.released += released ? 1 : 0;
    answer_nothing_yet(rank,
                       {.kind = released && settings_.virtual_time ? replay::AnswerInTime::Kind::released
                                                                   : replay::AnswerInTime::Kind::timeless},
                       unasked);
}

void Machine::note_time_passed(bool on_clocks) {
    kept_waiting_ += delays_.hold_anything() ? 1 : 0;
    delays_.pass_time(on_clocks);
}

bool Machine::holds_poll(Rank rank) const { return process(rank).polling && process(rank).polling->held; }

}  // namespace dampi::scheduler::central
