#include "scheduler/engines/central/rank_record.hpp"

#include "replay/divergence_text.hpp"

#include <algorithm>
#include <utility>

namespace dampi::scheduler::central {
namespace {

using base::PostingOrder;
using clocks::Match;
using clocks::Posted;
using clocks::RecordedReceive;
using clocks::Snapshot;
using replay::Decision;
using replay::Epoch;
using replay::EpochKind;
using transport::requests::Situation;

constexpr base::ReceiveSpec no_spec{.comm = 0, .source = base::any_source, .tag = base::any_tag};

}  // namespace

RecordedEpoch& RankRecord::open(std::uint32_t index, EpochKind kind, const base::ReceiveSpec& spec,
                                const Situation& situation, const std::string& communicator_name) {
    if (!epochs_.empty() && (!omitted_ || omitted_->count == 0)) {
        epochs_.back().epoch.context.follow_up = situation.previous_follow_up;
    }
    if (omitted_ && omitted_->count++ == 0) {
        omitted_->clock = clocks_.now()->clock.lamport;  // those that follow know of no less
    }
    RecordedEpoch& opened = omitted_ ? passing_[index] : epochs_.emplace_back();
    use_room(units_of_epoch);
    Epoch& epoch = opened.epoch;
    epoch.id = {own_, index};
    epoch.kind = kind;
    epoch.comm = spec.comm;
    epoch.tag = spec.tag;
    epoch.call = situation.function;
    epoch.posted = clocks_.now()->clock;
    epoch.context.zone = situation.zone;
    epoch.context.bracketed = situation.bracketed != 0;
    if (situation.mixing_bound != Situation::no_mixing_bound) {
        epoch.context.mixing_bound = situation.mixing_bound;
    }
    epoch.context.communicator_name = communicator_name;
    opened.sites = {situation.site};
    opened.stack = situation.stack;
    const Decision* const found = decision(index);
    if (found == nullptr) {
        return opened;
    }
    const replay::EpochOperation decided{.kind = found->kind, .comm = found->comm, .tag = found->tag};
    const replay::EpochOperation met{.kind = kind, .comm = spec.comm, .tag = spec.tag};
    const bool another_polls = found->outcome.poll != 0 && replay::is_polling(found->kind) && replay::is_polling(kind);
    if (decided != met && !another_polls) {
        diverge(replay::other_operation_text(epoch.id, decided, met), situation);
        return opened;
    }
    epoch.forced = !found->open;
    return opened;
}

RecordedEpoch& RankRecord::at(std::uint32_t index) { return keeps(index) ? epochs_[index] : passing_[index]; }

const RecordedEpoch* RankRecord::latest() const {
    if (!omitted_ || omitted_->count == 0) {
        return epochs_.empty() ? nullptr : &epochs_.back();
    }
    const auto found = passing_.find(static_cast<std::uint32_t>(omitted_->from + omitted_->count - 1));
    return found == passing_.end() ? nullptr : &found->second;
}

void RankRecord::use_room(std::uint64_t units) {
    used_ += units;
    if (used_ > room_ && !omitted_) {
        omitted_ = {
            .from = static_cast<std::uint32_t>(epochs_.size()), .count = 0, .clock = clocks_.now()->clock.lamport};
    }
}

void RankRecord::add_late(clocks::LateMessage message, const SentData& sent) {
    use_room(units_of_alternative);
    if (used_ <= room_ + room_ / 2 || !omitted_) {
        if (sent.data.type != transport::no_type) {
            late_data_.emplace(message.name, sent);
        }
        late_.push_back(std::move(message));
        return;
    }
    const auto [at, is_first] = dropped_.try_emplace({message.name.source, message.name.comm}, message.name.number);
    at->second = std::min(at->second, message.name.number);
}

const Decision* RankRecord::decision(std::uint32_t index) const {
    if (deviation_) {
        return nullptr;
    }
    const replay::EpochId wanted{own_, index};
    const auto found =
        std::lower_bound(decisions_->begin(), decisions_->end(), wanted,
                         [](const Decision& decision, const replay::EpochId& id) { return decision.epoch < id; });
    return found != decisions_->end() && found->epoch == wanted ? &*found : nullptr;
}

void RankRecord::decide(Decisions decisions) {
    decisions_ = std::move(decisions);
    for (RecordedEpoch& each : epochs_) {
        const Decision* decided = decision(each.epoch.id.index);
        each.epoch.forced = decided != nullptr && !decided->open;
    }
}

void RankRecord::diverge(const std::string& message, const Situation& situation) {
    if (!deviation_) {
        deviation_ = {.message = message, .function = situation.function, .site = situation.site};
    }
}

void RankRecord::record(const Posted& posted, std::optional<std::uint32_t> epoch, std::uint32_t poll) {
    if (epoch ? !keeps(*epoch) : omitted_.has_value()) {
        return;
    }
    use_room(epoch ? 0 : units_of_receive);
    RecordedReceive& recorded = recorded_[posted.order];
    recorded.order = posted.order;
    recorded.spec = posted.spec;
    recorded.epoch = epoch;
    recorded.poll = poll;
    recorded.posted = posted.clock->clock;
    recorded.posted_at = posted.at;
    recorded.oldest_pending = posted.oldest_pending;
}

void RankRecord::record_pending(PostingOrder order) {
    clocks_.record_pending(order, [&](const Posted& earlier) { record(earlier, std::nullopt); });
}

Posted RankRecord::post(const base::ReceiveSpec& spec, EpochKind kind, const Situation& situation,
                        const std::string& communicator_name, const transport::TypedData& data) {
    Posted posted = clocks_.post(spec, spec.wildcard());
    if (posted.epoch) {
        RecordedEpoch& opened = open(*posted.epoch, kind, spec, situation, communicator_name);
        opened.orders = {posted.order};
        opened.data = data;
        record_pending(posted.order);
        record(posted, posted.epoch);
    }
    return posted;
}

Posted RankRecord::post_polling_probe(const base::ReceiveSpec& spec, EpochKind kind, const Situation& situation,
                                      const std::string& communicator_name) {
    Posted posted = clocks_.post(spec, false);
    posted.epoch = clocks_.post_choice();
    open(*posted.epoch, kind, spec, situation, communicator_name).orders = {posted.order};
    record_pending(posted.order);
    record(posted, posted.epoch);
    return posted;
}

void RankRecord::note_repetition(std::uint32_t index, std::uint32_t repetition, std::uint32_t turns_after,
                                 std::uint32_t round) {
    replay::Epoch& epoch = at(index).epoch;
    epoch.repetition = repetition <= static_cast<std::uint32_t>(replay::last_repetition)
                           ? static_cast<replay::Repetition>(repetition)
                           : replay::Repetition::undecided;
    if (replay::may_repeat_so(epoch.repetition, turns_after, round)) {
        epoch.turns_after = turns_after;
        epoch.round = round;
    } else {
        epoch.repetition = replay::Repetition::undecided;
    }
}

Posted RankRecord::post_answer(std::uint32_t index, const base::ReceiveSpec& spec) {
    Posted posted = clocks_.post(spec, false);
    posted.epoch = index;
    posted.recorded = true;
    RecordedEpoch& opened = at(index);
    const std::uint32_t poll = opened.epoch.poll;
    recorded_.erase(opened.orders[poll]);
    opened.orders[poll] = posted.order;
    opened.epoch.posted = posted.clock->clock;
    record(posted, index, poll);
    record_pending(posted.order);
    return posted;
}

Posted RankRecord::add_poll(std::uint32_t index, EpochKind kind, const base::ReceiveSpec& spec,
                            const Situation& situation, std::uint32_t false_answers) {
    RecordedEpoch& opened = at(index);
    replay::OtherPoll& poll = opened.epoch.others.emplace_back();
    poll.number = static_cast<std::uint32_t>(opened.epoch.others.size());
    poll.before = false_answers;
    poll.kind = kind;
    poll.comm = spec.comm;
    poll.tag = spec.tag;
    poll.call = situation.function;
    opened.sites.push_back(situation.site);
    Posted posted;
    if (replay::chooses_message(kind)) {
        posted = clocks_.post(spec, false);
        record_pending(posted.order);
        record(posted, index, poll.number);
    }
    opened.orders.resize(opened.sites.size());
    opened.orders.back() = posted.order;
    const Decision* const found = decision(index);
    if (found != nullptr && !found->open && found->outcome.poll == poll.number) {
        const replay::EpochOperation decided{.kind = found->kind, .comm = found->comm, .tag = found->tag};
        const replay::EpochOperation met{.kind = kind, .comm = spec.comm, .tag = spec.tag};
        if (decided != met) {
            diverge(replay::other_operation_text(opened.epoch.id, decided, met), situation);
        }
    }
    return posted;
}

void RankRecord::end_stretch(std::uint32_t index, StretchEnd end) {
    RecordedEpoch& opened = at(index);
    Epoch& epoch = opened.epoch;
    epoch.posted = clocks_.now()->clock;
    for (const base::PostingOrder order : opened.orders) {  // until now it could have answered
        if (const auto found = recorded_.find(order); found != recorded_.end() && found->second.epoch == index) {
            found->second.posted = epoch.posted;
        }
    }
    DAMPI_CHECK(replay::describe_by(epoch, end.poll));
    opened.false_answers = end.false_answers;
    opened.released = end.released;
    epoch.polled = std::move(end.polled);
    epoch.timed = end.timed;
}

void RankRecord::note_unanswered(std::uint32_t index, const Posted& probe, const Match& match) {
    clocks_.give_up(index, probe, match);
}

Match RankRecord::match(const Posted& posted, const clocks::IncomingMessage& message, bool learned, bool takes,
                        const SentData& sent) {
    const clocks::MessageFacts facts{.source = message.name.source, .tag = message.tag, .number = message.name.number};
    if (!learned && clocks_.record(posted.order)) {
        record(posted, posted.epoch);
    }
    Match match = clocks_.match(posted, message.name.source, &message, learned);
    if (match.recorded) {
        if (const auto found = recorded_.find(posted.order); found != recorded_.end()) {
            RecordedReceive& recorded = found->second;
            recorded.settled_at = match.at;
            recorded.taken = facts;
            recorded.final = match.final;
            recorded.after = match.after->clock;
        }
    }
    if (posted.epoch) {
        RecordedEpoch& opened = at(*posted.epoch);
        opened.epoch.outcome = replay::Outcome{.source = facts.source,
                                               .tag = facts.tag,
                                               .number = facts.number,
                                               .completed = {},
                                               .poll = opened.epoch.poll,
                                               .false_answers = opened.false_answers,
                                               .released = opened.released};
        opened.epoch.final = match.final;
        opened.epoch.past = match.past->clock;
        forget(*posted.epoch);
    }
    if (takes && clocks_.epochs() != 0 && clocks_.is_late(message, posted.order)) {
        add_late({.name = message.name, .tag = message.tag, .taken_by = posted.order, .clock = message.clock}, sent);
    }
    return match;
}

void RankRecord::drop(const Posted& posted) {
    if (const auto settled_at = clocks_.drop(posted)) {
        if (const auto found = recorded_.find(posted.order); found != recorded_.end()) {
            found->second.settled_at = *settled_at;
        }
    }
}

std::uint32_t RankRecord::post_choice(EpochKind kind, const Situation& situation) {
    const std::uint32_t index = clocks_.post_choice();
    open(index, kind, no_spec, situation, "");
    return index;
}

Match RankRecord::choose(std::uint32_t index, std::vector<std::uint32_t> completed, const std::vector<Snapshot>& known,
                         const Snapshot& posted, bool told) {
    std::vector<Snapshot> learned;
    std::copy_if(known.begin(), known.end(), std::back_inserter(learned),
                 [](const Snapshot& each) { return static_cast<bool>(each); });
    Epoch& epoch = at(index).epoch;
    Match match = clocks_.choose(index, posted ? posted : clocks_.now(), learned);
    epoch.final = match.final;
    epoch.past = match.past->clock;
    epoch.outcome = replay::Outcome{.source = base::any_source,
                                    .tag = 0,
                                    .number = 0,
                                    .completed = std::move(completed),
                                    .poll = epoch.poll,
                                    .false_answers = at(index).false_answers,
                                    .released = at(index).released};
    if (told) {
        clocks_.learn(match.after);
    }
    forget(index);
    return match;
}

bool RankRecord::add_candidate(std::uint32_t index) {
    if (!keeps(index)) {
        return false;
    }
    use_room(units_of_alternative);
    return true;
}

void RankRecord::add_completable(std::uint32_t index, std::uint32_t poll, std::uint32_t position,
                                 const clocks::Clock& known) {
    if (!keeps(index)) {
        return;
    }
    auto& completable = replay::completable_of(epochs_[index].epoch, poll);
    if (std::none_of(completable.begin(), completable.end(),
                     [&](const replay::Completable& each) { return each.position == position; })) {
        completable.push_back({.position = position, .known = known});
    }
}

void RankRecord::note_requests(std::uint32_t index, std::uint32_t poll, std::size_t requests) {
    if (keeps(index)) {
        epochs_[index].requests[poll] = requests;
    }
}

std::vector<RecordedEpoch> RankRecord::finish() {
    std::vector<RecordedReceive> receives;
    receives.reserve(recorded_.size());
    for (auto& [order, receive] : recorded_) {
        if (receive.epoch && !receive.taken) {
            const Epoch& epoch = epochs_[*receive.epoch].epoch;
            const bool probes = replay::is_probe(epoch.kind) || replay::is_polling(epoch.kind);
            if (probes && receive.settled_at == clocks::never) {
                receive.settled_at = receive.posted_at;  // it takes nothing from those posted later
            }
            if (epoch.outcome) {
                receive.given_up = true;
                receive.final = epoch.final;
            } else if (replay::takes_message(epoch.kind) && receive.settled_at != clocks::never) {
                receive.epoch.reset();  // cancelled: whatever comes of that is another epoch's matter
            }
        }
        receives.push_back(std::move(receive));
    }
    std::sort(receives.begin(), receives.end(),
              [](const RecordedReceive& a, const RecordedReceive& b) { return a.order < b.order; });
    // What a receive takes is the first that fits: where some are dropped, later ones of the same sender say nothing.
    std::erase_if(late_, [&](const clocks::LateMessage& message) {
        const auto dropped = dropped_.find({message.name.source, message.name.comm});
        return dropped != dropped_.end() && message.name.number > dropped->second;
    });
    for (clocks::FoundMatch& found : clocks::potential_matches(own_, clocks_.protocol(), receives, std::move(late_))) {
        RecordedEpoch& opened = epochs_[found.epoch];
        if (opened.data.type != transport::no_type) {
            const auto sent = late_data_.find(
                {.source = found.message.source, .comm = opened.epoch.comm, .number = found.message.number});
            if (sent != late_data_.end()) {
                opened.messages.emplace_back(
                    replay::Outcome{
                        .source = found.message.source, .tag = found.message.tag, .number = found.message.number},
                    sent->second);
            }
        }
        replay::potential_matches_of(epochs_[found.epoch].epoch, found.poll)
            .push_back({.source = found.message.source,
                        .tag = found.message.tag,
                        .number = found.message.number,
                        .past = std::move(found.past)});
    }
    const auto strip = [](clocks::Clock& clock) { clock = clocks::without_marks(std::move(clock)); };
    for (RecordedEpoch& each : epochs_) {
        for (const auto& [poll, requests] : each.requests) {
            replay::forget_unless_all(each.epoch, poll, requests);
        }
        strip(each.epoch.posted);
        strip(each.epoch.past);
        const auto tidy = [&](auto& potential_matches, auto& completable) {
            for (replay::PotentialMatch& match : potential_matches) {
                strip(match.past);
            }
            for (replay::Completable& each_request : completable) {
                strip(each_request.known);
            }
            std::sort(potential_matches.begin(), potential_matches.end(),
                      [](const auto& a, const auto& b) { return a.source < b.source; });
            std::sort(completable.begin(), completable.end(),
                      [](const auto& a, const auto& b) { return a.position < b.position; });
        };
        tidy(each.epoch.potential_matches, each.epoch.completable);
        for (replay::OtherPoll& other : each.epoch.others) {
            tidy(other.potential_matches, other.completable);
        }
    }
    return std::move(epochs_);
}

}  // namespace dampi::scheduler::central
