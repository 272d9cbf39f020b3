// For which outcomes of a run's past alternatives may still come: late for an epoch is what fits, is the first of its
// source that does, and does not know of the epoch's outcome. The argument is in docs/architecture/equal-states.md.
#include "scheduler/engines/central/machine.hpp"

#include "scheduler/judgement/stuck_ranks.hpp"
#include "transport/requests/state_parts.hpp"

#include <algorithm>

namespace dampi::scheduler::central {
namespace {

using base::Digest;
using base::DigestBuilder;
using base::ReceiveSpec;
using clocks::Snapshot;
using replay::EpochId;
using namespace transport::requests;

constexpr std::size_t most_candidates = 20'000;

bool knows(const Snapshot& snapshot, const EpochId& epoch) {
    return snapshot && snapshot->clock.vector.knows(epoch.rank, epoch.index);
}

bool tags_overlap(base::Tag a, base::Tag b) { return a == b || a == base::any_tag || b == base::any_tag; }

}  // namespace

std::uint64_t Machine::looks_for_open_past() const {
    std::uint64_t facts = 0;
    for (const Process& each : processes_) {
        facts += each.postings.size();
        for (const auto& [key, stream] : each.unexpected) {
            facts += stream.size();
        }
    }
    return candidates_ * facts;
}

std::vector<Rank> Machine::possible_sources(CommId comm, Rank rank) const {
    const auto found = groups_.find(comm);
    if (found == groups_.end()) {
        return {};
    }
    const Group& group = found->second;
    if (!group.inter) {
        return group.members;
    }
    const bool is_member = std::find(group.members.begin(), group.members.end(), rank) != group.members.end();
    return is_member ? group.remote : group.members;
}

/// How many messages that such a receive could take, the source itself aside.
std::uint64_t Machine::sent_so_far(Rank source, Rank destination, const ReceiveSpec& spec) const {
    const Process& sender = process(source);
    if (spec.tag == base::any_tag) {
        const auto found = sender.sent.find({spec.comm, destination});
        return found == sender.sent.end() ? 0 : found->second;
    }
    const auto found = sender.sent_with_tag.find({spec.comm, destination, spec.tag});
    return found == sender.sent_with_tag.end() ? 0 : found->second;
}

Machine::Candidate Machine::candidate(Rank rank, std::uint32_t epoch, const Receive& receive,
                                      MessageIndex message) const {
    const Process& own = process(rank);
    const ReceiveSpec& spec = receive.posted.spec;
    Candidate made{.epoch = {rank, epoch}, .spec = spec, .sources = {}};
    for (const Rank source : possible_sources(spec.comm, rank)) {
        const auto waiting = own.unexpected.find({spec.comm, source});
        const bool is_there = waiting != own.unexpected.end() &&
                              std::any_of(waiting->second.begin(), waiting->second.end(), [&](MessageIndex index) {
                                  return tags_overlap(spec.tag, messages_[index].tag);
                              });
        if (source != messages_[message].source && !is_there) {
            made.sources.push_back({.source = source, .messages = sent_so_far(source, rank, spec)});
        }
    }
    made.order = receive.posted.order;
    made.unclear = !rivals(made).empty();
    return made;
}

/// Receives that have met no message, and come before the epoch's for some that it could have taken.
std::vector<Operation> Machine::rivals(const Candidate& candidate) const {
    const Process& own = process(candidate.epoch.rank);
    std::vector<Operation> found;
    for (auto at = own.posted.begin(); at != own.posted.end() && at->first < candidate.order; ++at) {
        const ReceiveSpec& other = own.postings.at(at->second).receive.posted.spec;
        if (other.comm == candidate.spec->comm && tags_overlap(other.tag, candidate.spec->tag)) {
            found.push_back(at->second);
        }
    }
    return found;
}

void Machine::note_settled(Rank rank, std::uint32_t epoch, const Receive* probe, MessageIndex message) {
    process(rank).record.note_settled(epoch, ++settled_);
    if (!settings_.compares_states) {
        return;
    }
    lost_candidates_ = lost_candidates_ || candidates_ >= most_candidates;
    if (lost_candidates_) {
        return;
    }
    ++candidates_;
    if (probe == nullptr) {
        process(rank).candidates.push_back({.epoch = {rank, epoch}, .spec = {}, .sources = {}});
        return;
    }
    process(rank).candidates.push_back(candidate(rank, epoch, *probe, message));
    for (const Rank source : possible_sources(probe->posted.spec.comm, rank)) {
        // In other runs it may have been sent before or after this, if both are decided: it knows nothing of it.
        if (const std::uint64_t messages = sent_so_far(source, rank, probe->posted.spec); messages != 0) {
            unaware_[{EpochId{rank, epoch}, source}] = messages;
        }
    }
}

void Machine::note_unaware(const Message& message) {
    for (const Candidate& each : process(message.destination).candidates) {
        if (each.spec && each.spec->fits(message.comm, message.source, message.tag) &&
            !knows(message.clock, each.epoch)) {
            unaware_[{each.epoch, message.source}] = sent_so_far(message.source, message.destination, *each.spec);
        }
    }
}

std::optional<std::vector<replay::SentUnaware>> Machine::unaware() const {
    if (!settings_.compares_states || lost_candidates_) {
        return std::nullopt;
    }
    std::vector<replay::SentUnaware> all;
    for (const auto& [name, messages] : unaware_) {
        if (all.empty() || all.back().epoch != name.first) {
            all.push_back({.epoch = name.first});
        }
        all.back().sources.push_back({.source = name.second, .messages = messages});
    }
    return all;
}

/// Who will know of an epoch's outcome before it does anything else, while all ranks stand at fences.
class Machine::Knowledge {
public:
    explicit Knowledge(const Machine& machine) : machine_(machine), picture_(machine.states()) {
        for (std::size_t i = 0; i < picture_.size(); ++i) {
            const Process& own = machine_.processes_[i];
            lives_.push_back(!own.ended && !own.finalized);
            untaken_.emplace_back();
            for (const scheduler::Wait& wait : picture_[i].waits) {
                untaken_.back().push_back(wait.kind == transport::WaitKind::send && is_untaken(own, wait));
            }
            if (lives_.back()) {
                add_offers(own);
                add_facts(static_cast<Rank>(i), own);
            }
        }
        add_collectives();
    }

    /// By rank; those that do nothing any more count as if they knew.
    const std::vector<bool>& of(const EpochId& epoch) {
        std::vector<bool> key;
        for (const Process& own : machine_.processes_) {
            key.push_back(knows(own.record.clocks().now(), epoch));
        }
        const std::vector<bool> unsure = may_be_taken_without(epoch);
        key.insert(key.end(), unsure.begin(), unsure.end());
        const auto [found, is_new] = known_.try_emplace(std::move(key));
        if (is_new) {
            found->second = find(found->first);
        }
        return found->second;
    }

    /// By rank: whether a receive that does not know of it may take something of the rank's.
    [[nodiscard]] std::vector<bool> may_be_taken_without(const EpochId& epoch) const {
        std::vector<bool> may(lives_.size());
        for (const Offer& offer : offers_) {
            for (const Rank source : offer.sources) {
                const auto index = static_cast<std::size_t>(source);
                may[index] = may[index] || !knows(*offer.posted, epoch);
            }
        }
        return may;
    }

    /// Of all else from which somebody gets to know something. `is_choice`: what its own rank knows by then does not
    /// count, as what completes was begun before.
    void add_facts_to(DigestBuilder& words, const EpochId& epoch, const std::vector<bool>& known,
                      bool is_choice) const {
        for (const bool each : known) {
            words.add(static_cast<std::uint64_t>(each));
        }
        for (const Fact& fact : facts_) {
            const bool comes_late =
                !is_choice && fact.learner != base::any_source && known[static_cast<std::size_t>(fact.learner)];
            words.add(static_cast<std::uint64_t>(comes_late || knows(*fact.snapshot, epoch)));
        }
    }

private:
    /// A receive that is posted, and who has sent what fits it.
    struct Offer {
        const Snapshot* posted = nullptr;
        std::vector<Rank> sources;
    };
    /// What is told to a rank, or to several (any_source).
    struct Fact {
        const Snapshot* snapshot = nullptr;
        Rank learner = base::any_source;
    };

    /// Whether the message of the send that the rank waits for has not met its receive.
    [[nodiscard]] bool is_untaken(const Process& own, const scheduler::Wait& wait) const {
        return std::any_of(own.postings.begin(), own.postings.end(), [&](const auto& each) {
            const Posting& posting = each.second;
            if (posting.kind != Posting::Kind::send) {
                return false;
            }
            const Message& message = machine_.messages_[posting.message];
            return message.destination == wait.peer && message.comm == wait.comm && message.number == wait.number &&
                   !message.taken && !machine_.complete(own, posting);
        });
    }

    /// What is posted already does not know more than its rank did then, nor do those get to know more that wait for
    /// it to take their message.
    void add_offers(const Process& own) {
        for (const auto& [order, operation] : own.posted) {
            const Receive& receive = own.postings.at(operation).receive;
            const ReceiveSpec spec = asked(receive);
            Offer offer{.posted = &receive.posted.clock, .sources = {}};
            for (const auto& [stream, messages] : own.unexpected) {
                if (std::any_of(messages.begin(), messages.end(), [&](MessageIndex index) {
                        const Message& message = machine_.messages_[index];
                        return spec.fits(message.comm, message.source, message.tag);
                    })) {
                    offer.sources.push_back(stream.second);
                }
            }
            if (!offer.sources.empty()) {
                offers_.push_back(std::move(offer));
            }
        }
    }

    void add_facts(Rank rank, const Process& own) {
        // What a receive takes that was posted before tells those as well whose messages are taken behind it.
        const bool tells_others = std::any_of(own.postings.begin(), own.postings.end(), [](const auto& each) {
            return each.second.kind == Posting::Kind::receive && !each.second.receive.resolved;
        });
        const Rank receiver = tells_others ? base::any_source : rank;
        std::vector<Operation> operations;
        for (const auto& [operation, posting] : own.postings) {
            operations.push_back(operation);
        }
        std::sort(operations.begin(), operations.end());
        for (const Operation operation : operations) {
            const Posting& posting = own.postings.at(operation);
            switch (posting.kind) {
                case Posting::Kind::send:
                    facts_.push_back({&machine_.messages_[posting.message].acknowledged, rank});
                    break;
                case Posting::Kind::receive: {
                    const Receive& receive = posting.receive;
                    facts_.push_back({&receive.posted.clock, base::any_source});
                    if (receive.resolved) {
                        facts_.push_back({&receive.match.after, rank});
                    } else if (receive.message != no_message) {
                        facts_.push_back({&machine_.messages_[receive.message].clock, receiver});
                    }
                    break;
                }
                case Posting::Kind::matched_receive:
                    facts_.push_back({&posting.after, rank});
                    break;
                case Posting::Kind::collective:
                    facts_.push_back({&posting.known, rank});
                    break;
                case Posting::Kind::pair:
                case Posting::Kind::immediate:
                    break;
            }
        }
        for (const auto& [stream, messages] : own.unexpected) {
            for (const MessageIndex index : messages) {
                facts_.push_back({&machine_.messages_[index].clock, receiver});
            }
        }
        own.record.clocks().for_each_kept([&](const Snapshot& snapshot) {
            facts_.push_back({&snapshot, base::any_source});
        });
    }

    void add_collectives() {
        std::map<CommId, const Group*> groups;
        for (const auto& [comm, group] : machine_.groups_) {
            groups.emplace(comm, &group);
        }
        for (const auto& [comm, group] : groups) {
            for (const Round& round : group->rounds) {
                for (const Entered& entered : round.entered) {
                    if (entered.here) {
                        facts_.push_back({&entered.clock, base::any_source});
                    }
                }
            }
        }
    }

    /// `key`: who knows, and who may go on without getting to know.
    [[nodiscard]] std::vector<bool> find(const std::vector<bool>& key) const {
        std::vector<scheduler::RankState> picture = picture_;
        const std::size_t ranks = lives_.size();
        for (std::size_t i = 0; i < ranks; ++i) {
            if (lives_[i] && key[i]) {
                // Whoever waits for it gets to know what it knows; who would otherwise be stuck can do nothing before.
                picture[i] = without_way_out();
            } else if (!key[ranks + i]) {
                // Nor does a send go on by a receive that is posted but by what that knows.
                for (std::size_t wait = 0; wait < picture[i].waits.size(); ++wait) {
                    scheduler::Wait& each = picture[i].waits[wait];
                    each.may_be_satisfied = each.may_be_satisfied && !untaken_[i][wait];
                }
            }
        }
        std::vector<bool> known = stuck_ranks(picture, scheduler::Polling::goes_on);
        for (std::size_t i = 0; i < ranks; ++i) {
            known[i] = known[i] || !lives_[i] || !live(picture[i]) || key[i];
        }
        return known;
    }

    const Machine& machine_;
    std::vector<scheduler::RankState> picture_;
    std::vector<bool> lives_;
    std::vector<std::vector<bool>> untaken_;  ///< by rank and wait
    std::vector<Offer> offers_;
    std::vector<Fact> facts_;
    std::map<std::vector<bool>, std::vector<bool>> known_;
};

/// Looks at what may still be late.
class Machine::OpenPastReading {
public:
    explicit OpenPastReading(const Machine& machine) : machine_(machine), knowledge_(machine) {}

    /// Whether nothing can be late for it any more: once so, it stays so, since nobody forgets anything.
    bool is_over(const Candidate& candidate) {
        const std::vector<bool>& known = knowledge_.of(candidate.epoch);
        const bool all_know = std::all_of(known.begin(), known.end(), [](bool each) { return each; });
        return candidate.spec ? is_over(candidate, known, all_know) : is_over_choice(candidate, known, all_know);
    }

    std::optional<OpenPast> past() && {
        if (uncertain_) {
            return std::nullopt;
        }
        past_.what = digest_of(std::move(words_));
        if (exactly_known_) {
            past_.what_exactly = digest_of(std::move(exact_words_));
        } else {
            past_.exact.clear();
        }
        return std::move(past_);
    }

private:
    /// Of a receive or probe.
    bool is_over(const Candidate& candidate, const std::vector<bool>& known, bool all_know) {
        if (candidate.unclear && depends_on_rivals(candidate)) {
            uncertain_ = true;
            return false;
        }
        if (all_know) {
            return true;
        }
        const Rank rank = candidate.epoch.rank;
        const ReceiveSpec& spec = *candidate.spec;
        replay::OpenEpoch open{.epoch = candidate.epoch};
        replay::OpenEpoch exact{.epoch = candidate.epoch};
        DigestBuilder words;
        words.add(1).add(static_cast<std::uint64_t>(rank)).add(spec.comm).add(static_cast<std::uint64_t>(spec.tag));
        knowledge_.add_facts_to(words, candidate.epoch, known, false);
        DigestBuilder exact_words;
        exact_words.add(words.value());
        for (const Rank source : machine_.possible_sources(spec.comm, rank)) {
            if (known[static_cast<std::size_t>(source)]) {
                continue;
            }
            const replay::Sent sent{.source = source, .messages = machine_.sent_so_far(source, rank, spec)};
            open.sources.push_back(sent);
            if (std::any_of(candidate.sources.begin(), candidate.sources.end(), [&](const replay::Sent& each) {
                    return each.source == source && each.messages == sent.messages;
                })) {
                exact.sources.push_back(sent);
                exact_words.add(static_cast<std::uint64_t>(source));
            }
        }
        if (open.sources.empty()) {
            return true;
        }
        exactly_known_ = exactly_known_ && !candidate.unclear;
        past_.epochs.push_back(std::move(open));
        words_.push_back(words.value());
        if (!exact.sources.empty()) {
            past_.exact.push_back(std::move(exact));
            exact_words_.push_back(exact_words.value());
        }
        return false;
    }

    bool is_over_choice(const Candidate& candidate, const std::vector<bool>& known, bool all_know) {
        const EpochId& epoch = candidate.epoch;
        const Process& own = machine_.process(epoch.rank);
        replay::OpenEpoch open{.epoch = epoch};
        DigestBuilder words;
        words.add(2).add(static_cast<std::uint64_t>(epoch.rank));
        for (const auto& [operation, position] : open_requests(epoch)) {
            if (!all_know || may_complete_without(own, own.postings.at(operation), epoch)) {
                // By its place among all that are posted.
                words.add(static_cast<std::uint64_t>(
                    std::count_if(own.postings.begin(), own.postings.end(),
                                  [operation = operation](const auto& other) { return other.first < operation; })));
                open.positions.push_back(position);
            }
        }
        if (open.positions.empty()) {
            return true;
        }
        knowledge_.add_facts_to(words, epoch, known, true);
        past_.epochs.push_back(open);
        words_.push_back(words.value());
        past_.exact.push_back(std::move(open));
        exact_words_.push_back(words.value());
        return false;
    }

    /// Whether what is there already may turn out to be late, when a receive that comes before the epoch's has taken
    /// another message.
    [[nodiscard]] bool depends_on_rivals(const Candidate& candidate) const {
        const Process& own = machine_.process(candidate.epoch.rank);
        const std::vector<Operation> all = machine_.rivals(candidate);
        return std::any_of(all.begin(), all.end(), [&](Operation operation) {
            return could_take(own, own.postings.at(operation).receive, [](const Message&) { return true; });
        });
    }

    /// Of a choice: the requests that are not complete, and their positions.
    [[nodiscard]] std::vector<std::pair<Operation, std::uint32_t>> open_requests(const EpochId& choice) const {
        const Process& own = machine_.process(choice.rank);
        std::vector<std::pair<Operation, std::uint32_t>> requests;
        for (const auto& [operation, posting] : own.postings) {
            for (const Candidacy& candidacy : posting.candidacies) {
                if (candidacy.choice == choice.index && !machine_.complete(own, posting)) {
                    requests.emplace_back(operation, candidacy.position);
                }
            }
        }
        std::sort(requests.begin(), requests.end());
        return requests;
    }

    /// Whether what is there already may complete the operation, begun before the choice, without knowing of that. Who
    /// is missing in a collective knows.
    [[nodiscard]] bool may_complete_without(const Process& own, const Posting& posting, const EpochId& choice) const {
        switch (posting.kind) {
            case Posting::Kind::receive:
                return posting.receive.message != no_message ||
                       could_take(own, posting.receive,
                                  [&](const Message& message) { return !knows(message.clock, choice); });
            case Posting::Kind::send:
                return knowledge_.may_be_taken_without(choice)[static_cast<std::size_t>(choice.rank)];
            case Posting::Kind::pair:
                return may_complete_without(own, own.postings.at(posting.paired_send), choice) ||
                       may_complete_without(own, own.postings.at(posting.paired_receive), choice);
            case Posting::Kind::collective:
            case Posting::Kind::matched_receive:
            case Posting::Kind::immediate:
                break;
        }
        return false;
    }

    /// Whether a message is there that the receive could take, of those that count.
    template <typename Counts>
    [[nodiscard]] bool could_take(const Process& own, const Receive& receive, const Counts& counts) const {
        const ReceiveSpec spec = asked(receive);
        return std::any_of(own.unexpected.begin(), own.unexpected.end(), [&](const auto& stream) {
            return std::any_of(stream.second.begin(), stream.second.end(), [&](MessageIndex index) {
                const Message& message = machine_.messages_[index];
                return spec.fits(message.comm, message.source, message.tag) && counts(message);
            });
        });
    }

    /// Several epochs of which the same can be said are no more than one: what is late for one is for the others.
    static Digest digest_of(std::vector<Digest> all) {
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        DigestBuilder words;
        for (const Digest& each : all) {
            words.add(each);
        }
        return words.value();
    }

    const Machine& machine_;
    Knowledge knowledge_;
    bool uncertain_ = false;
    bool exactly_known_ = true;
    OpenPast past_;
    std::vector<Digest> words_;
    std::vector<Digest> exact_words_;
};

std::optional<OpenPast> Machine::open_past() {
    if (!can_be_compared() || lost_candidates_) {
        return std::nullopt;
    }
    if (candidates_ == 0 || (settings_.state_without & bit_of(StatePart::past)) != 0) {
        return OpenPast{};
    }
    OpenPastReading reading(*this);
    for (Process& own : processes_) {
        candidates_ -= std::erase_if(own.candidates, [&](const Candidate& each) { return reading.is_over(each); });
    }
    return std::move(reading).past();
}

}  // namespace dampi::scheduler::central
