#include "clocks/lazy_clocks.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <utility>

namespace dampi::clocks {
LazyClocks::LazyClocks(base::Rank own, Protocol protocol, Marks marks)
    : own_(own), protocol_(protocol), marks_(protocol == Protocol::vector ? marks : Marks{}), now_(Clock{}) {}

Posted LazyClocks::post(const base::ReceiveSpec& spec, bool epoch) {
    Posted posted;
    posted.order = next_order_++;
    posted.spec = spec;
    if (epoch) {
        posted.epoch = epochs_++;
        posted.recorded = true;
    }
    if (marks_.postings && posted.order < most_marks) {
        Clock now = now_->clock;
        now.vector.add(postings_of(own_), static_cast<std::uint32_t>(posted.order));
        change(std::move(now));
    }
    posted.clock = now_;
    posted.oldest_pending = oldest_unknown(posted.order);
    posted.at = next_moment_++;
    current_ = {.order = posted.order, .at = posted.at};
    return posted;
}

std::uint32_t LazyClocks::number_window_end() {
    return marks_.windows && window_ends_ + 1 < most_marks ? ++window_ends_ : 0;
}

void LazyClocks::end_in_window(std::uint32_t number) {
    if (number != 0) {
        Clock now = now_->clock;
        now.vector.add(window_ends_of(own_), number);
        change(std::move(now));
    }
}

base::PostingOrder LazyClocks::oldest_unknown(base::PostingOrder order) {
    base::PostingOrder oldest = pending_.empty() ? order : pending_.front().order;
    if (unlearned_ == 0) {
        return oldest;
    }
    for (Known& known : settled_) {
        if (known.match.at != unlearned) {
            continue;
        }
        if (!now_->clock.contains(known.match.after->clock)) {
            oldest = std::min(oldest, known.posted.order);
        } else {  // learned by now
            known.match.at = next_moment_++;
            --unlearned_;
        }
    }
    return oldest;
}

void LazyClocks::keep_pending(const Posted& posted) {
    DAMPI_CHECK(pending_.empty() || pending_.back().order < posted.order);
    pending_.append(posted.order) = posted;
    if (current_.order == posted.order) {
        current_ = {};
    }
}

bool LazyClocks::record(base::PostingOrder order) {
    Posted* found = pending_.find(order);
    return found != nullptr && !std::exchange(found->recorded, true);
}

LamportClock LazyClocks::advance() {
    if (protocol_ != Protocol::lamport) {
        return {};
    }
    // What the program knows does not move: it learns of the match, or never.
    const LamportClock final = std::max(now_->clock.lamport, next_final_);
    next_final_ = final;
    next_final_.advance();
    return final;
}

Match LazyClocks::match(const Posted& posted, base::Rank source, const IncomingMessage* message, bool learned) {
    Match match{.at = learned ? next_moment_++ : unlearned,
                .recorded = posted.recorded,
                .final = {},
                .past = posted.clock,
                .after = {}};
    if (Posted* pending = pending_.find(posted.order)) {
        match.recorded = pending->recorded;
        pending_.erase(pending);
    } else if (current_.order == posted.order) {
        current_ = {};
    }
    const bool marked = marks_.buffered && message != nullptr && message->buffered;
    if (!posted.epoch && !marked && settled_.empty() &&
        (message == nullptr || posted.clock->clock.contains(message->clock))) {
        match.after = match.past;  // nothing that was not known at the posting
        return match;
    }
    std::optional<Clock> past;  // if it is more than was known at the posting
    const auto precedes = [&](const Clock& clock) {
        if (!(past ? *past : posted.clock->clock).contains(clock)) {
            if (!past) {
                past = posted.clock->clock;
            }
            past->merge(clock);
        }
    };
    std::optional<MessageFacts> taken;
    if (message != nullptr) {
        precedes(message->clock);
        taken = MessageFacts{.source = message->name.source, .tag = message->tag, .number = message->name.number};
        for (const Known& known : settled_) {
            if (known.posted.order < posted.order && known.match.at > posted.at && known.taken &&
                must_match_before(known.posted.spec, known.taken, posted.spec, *taken)) {
                precedes(known.match.after->clock);
            }
        }
    }
    if (past) {
        match.past = Snapshot(*std::move(past));
    }
    match.after = match.past;
    if (marked) {
        Clock after = match.past->clock;
        after.vector.add(buffered_of(source), *message->buffered);
        match.after = Snapshot(std::move(after));
    }
    if (posted.epoch) {
        match.final = advance();
        Clock after = match.after->clock;
        if (protocol_ == Protocol::lamport) {
            after.lamport.merge(LamportClock{match.final.value + 1});
        } else {
            after.vector.add(own_, *posted.epoch);
        }
        match.after = Snapshot(std::move(after));
        add_matched(*posted.epoch, posted, match, source);
    }
    settle(posted, match, taken);
    return match;
}

void LazyClocks::add_matched(std::uint32_t epoch, const Posted& posted, const Match& match, base::Rank source) {
    matched_.push_back({.index = epoch,
                        .highest_index = matched_.empty() ? epoch : std::max(epoch, matched_.back().highest_index),
                        .spec = posted.spec,
                        .order = posted.order,
                        .final = match.final,
                        .matched_source = source});
}

void LazyClocks::give_up(std::uint32_t choice, const Posted& posted, const Match& match) {
    add_matched(choice, posted, match, base::any_source);
}

void LazyClocks::give_up(std::uint32_t choice, const Posted& posted) {
    const auto answered = std::find_if(matched_.rbegin(), matched_.rend(),
                                       [&](const EpochState& epoch) { return epoch.index == choice; });
    DAMPI_CHECK(answered != matched_.rend());
    Match match;
    match.final = answered->final;
    add_matched(choice, posted, match, base::any_source);
}

std::optional<Moment> LazyClocks::drop(const Posted& posted) {
    bool recorded = posted.recorded;
    if (Posted* pending = pending_.find(posted.order)) {
        recorded = pending->recorded;
        pending_.erase(pending);
    } else if (current_.order == posted.order) {
        current_ = {};
    } else {
        return std::nullopt;
    }
    const Moment at = next_moment_++;
    return recorded ? std::optional(at) : std::nullopt;
}

void LazyClocks::settle(const Posted& posted, const Match& match, const std::optional<MessageFacts>& taken) {
    if (match.after == posted.clock) {
        return;  // whatever was posted later knew all of it
    }
    const base::PostingOrder latest =
        current_.order != never_taken ? current_.order : (pending_.empty() ? 0 : pending_.back().order);
    if (match.at == unlearned) {
        ++unlearned_;
    } else if (latest <= posted.order) {
        if (pending_.empty() && unlearned_ == 0) {
            settled_.clear();
        }
        return;  // whatever is posted later knows of it
    }
    settled_.push_back({.posted = posted, .match = match, .taken = taken});
    if (settled_.size() > forget_at_) {
        std::erase_if(settled_, [&](const Known& known) {
            return known.match.at != unlearned && !asked_later(known.posted.order, known.match.at);
        });
        forget_at_ = 2 * settled_.size() + 64;
    }
}

bool LazyClocks::asked_later(base::PostingOrder receive, Moment moment) const {
    const auto asks = [&](base::PostingOrder order, Moment posted_at) { return order > receive && posted_at < moment; };
    return (current_.order != never_taken && asks(current_.order, current_.at)) ||
           std::any_of(pending_.begin(), pending_.end(),
                       [&](const Posted& later) { return asks(later.order, later.at); });
}

Match LazyClocks::choose(std::uint32_t index, Snapshot posted, const std::vector<Snapshot>& known) {
    Clock past = posted->clock;
    Match match{.at = next_moment_++, .recorded = true, .final = advance(), .past = std::move(posted), .after = {}};
    bool more = false;
    for (const Snapshot& each : known) {
        more = past.merge(each->clock) || more;
    }
    Clock after = past;
    if (more) {
        match.past = Snapshot(std::move(past));
    }
    if (protocol_ == Protocol::lamport) {
        after.lamport.merge(LamportClock{match.final.value + 1});
    } else {
        after.vector.add(own_, index);
    }
    match.after = Snapshot(std::move(after));
    return match;
}

bool LazyClocks::is_late(const IncomingMessage& message, base::PostingOrder taken_by) {
    const std::uint32_t known_below = message.clock.vector.known_below(own_);
    if (matched_.empty() || (protocol_ == Protocol::lamport ? !message.clock.lamport.is_late_for(matched_.back().final)
                                                            : matched_.back().highest_index < known_below)) {
        return false;  // its sender knew of all of them
    }
    // Of a source's messages on one communicator the later ones know at least as much, and have the higher numbers.
    constexpr std::size_t most_tags = 64;
    Stream& stream = streams_[{message.name.comm, message.name.source}];
    const auto begin = [&](const Compared& compared) {
        return compared.number <= message.name.number ? compared.epochs : std::size_t{0};
    };
    auto of_tag = stream.of_tag.find(message.tag);
    if (of_tag == stream.of_tag.end() && stream.of_tag.size() < most_tags) {
        of_tag = stream.of_tag.try_emplace(message.tag).first;
    }
    const std::size_t first =
        std::max(begin(stream.any_tag), of_tag == stream.of_tag.end() ? 0 : begin(of_tag->second));
    std::size_t of_any = matched_.size();  // so many will have been compared
    std::size_t of_this = matched_.size();
    const std::uint32_t known_end = message.clock.vector.known_end(own_);
    bool late = false;
    for (std::size_t i = matched_.size(); i != first; --i) {
        EpochState& epoch = matched_[i - 1];
        if (protocol_ == Protocol::lamport) {
            if (!message.clock.lamport.is_late_for(epoch.final)) {
                break;  // final clocks only grow: the message knows of all earlier ones, too
            }
        } else if (epoch.highest_index < known_below) {
            break;
        } else if (epoch.index < known_end && message.clock.vector.knows(own_, epoch.index)) {
            continue;
        }
        if (epoch.matched_source == message.name.source) {
            continue;
        }
        if (!epoch.spec.fits(message.name.comm, message.name.source, message.tag)) {
            if (epoch.spec.fits(message.name.comm, message.name.source, epoch.spec.tag)) {
                of_any = i - 1;
            }
            continue;
        }
        if (epoch.order >= taken_by) {
            of_any = of_this = i - 1;
            continue;
        }
        const auto known = std::find_if(epoch.candidates.begin(), epoch.candidates.end(),
                                        [&](const Candidate& each) { return each.source == message.name.source; });
        if (known == epoch.candidates.end()) {
            epoch.candidates.push_back({message.name.source, message.name.number});
        } else if (message.name.number < known->number) {
            known->number = message.name.number;
        } else {
            continue;
        }
        late = true;
    }
    const auto note = [&](Compared& compared, std::size_t epochs) {
        if (compared.number <= message.name.number) {
            compared = {.number = message.name.number, .epochs = std::max(first, epochs)};
        }
    };
    // What was left out as compared for this tag is not for others.
    if (first <= begin(stream.any_tag)) {
        note(stream.any_tag, of_any);
    }
    if (of_tag != stream.of_tag.end()) {
        note(of_tag->second, of_this);
    }
    return late;
}

void LazyClocks::change(Clock clock) { now_ = Snapshot(std::move(clock)); }

void LazyClocks::learn(const Clock& clock) {
    Clock merged = now_->clock;
    if (merged.merge(clock)) {
        change(std::move(merged));
    }
}

void LazyClocks::learn(const Snapshot& snapshot) {
    if (!snapshot || snapshot == now_ || now_->clock.contains(snapshot->clock)) {
        return;
    }
    if (snapshot->clock.contains(now_->clock)) {
        now_ = snapshot;  // one clock fewer to keep and to publish
    } else {
        learn(snapshot->clock);
    }
}

}  // namespace dampi::clocks
