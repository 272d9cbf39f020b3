#include "scheduler/supervision/record_reader.hpp"

#include "clocks/lazy_clocks.hpp"
#include "replay/area/collective_operation.hpp"
#include "replay/area/contributions.hpp"
#include "replay/area/envelope_queue.hpp"
#include "replay/area/log.hpp"

#include <algorithm>
#include <cstring>

namespace dampi::scheduler {
namespace {

using namespace replay::area;
using clocks::Rank;
using replay::CodePlace;
using replay::Epoch;
using replay::PotentialMatch;
using replay::RankSituation;
using replay::Violation;

/// Sets or lowers the potential match from one source.
void add_potential(Epoch& epoch, const PotentialMatch& match) {
    auto at = std::lower_bound(epoch.potential_matches.begin(), epoch.potential_matches.end(), match.source,
                               [](const PotentialMatch& known, Rank source) { return known.source < source; });
    if (at == epoch.potential_matches.end() || at->source != match.source) {
        epoch.potential_matches.insert(at, match);
    } else if (match.number < at->number) {
        *at = match;
    }
}

/// A receive that was pending when the run ended.
struct LeftPending {
    std::uint64_t order;
    clocks::ReceiveSpec spec;
    bool forced;
};

std::vector<LeftPending> left_pending(const Area& area, Rank rank) {
    std::vector<LeftPending> pending;
    const std::uint64_t used = std::min(area.rank(rank).posted_high.load(std::memory_order_acquire), posted_capacity);
    for (std::uint64_t i = 0; i < used; ++i) {
        const PostedSlot& slot = area.posted(rank, i);
        if (slot.state.load(std::memory_order_acquire) == PostedState::pending) {
            pending.push_back({slot.order,
                               {.comm = slot.comm, .source = slot.source, .tag = slot.tag},
                               slot.forced != clocks::any_source});
        }
    }
    std::sort(pending.begin(), pending.end(),
              [](const LeftPending& a, const LeftPending& b) { return a.order < b.order; });
    return pending;
}

}  // namespace

void RecordReader::read() {
    const auto count = static_cast<std::size_t>(area_.processes());
    ranks_.assign(count, {});
    modules_.assign(count, {});
    extras_.assign(count, {});
    communicators_ = {{clocks::world_comm, "MPI_COMM_WORLD"}};
    for (std::size_t rank = 0; rank < count; ++rank) {
        read_log(static_cast<Rank>(rank));
    }
    for (std::size_t rank = 0; rank < count; ++rank) {
        analyse_leftovers(static_cast<Rank>(rank));
        for (Epoch& epoch : ranks_[rank].epochs) {
            if (epoch.outcome) {
                std::erase_if(epoch.potential_matches,
                              [&](const PotentialMatch& match) { return match.source == epoch.outcome->source; });
            }
        }
    }
}

CodePlace RecordReader::place(Rank rank, std::uint64_t address) {
    CodePlace found;
    for (const Module& module : modules_[static_cast<std::size_t>(rank)]) {
        if (address >= module.low && address < module.high) {
            found.module = module.path;
            found.offset = address - module.bias;
            lines_.resolve(found);
            break;
        }
    }
    return found;
}

std::string RecordReader::communicator_name(replay::CommId comm) const {
    const auto found = communicators_.find(comm);
    return found == communicators_.end() ? "a communicator" : found->second;
}

void RecordReader::read_log(Rank rank) {
    RankFacts& facts = ranks_[static_cast<std::size_t>(rank)];
    auto& modules = modules_[static_cast<std::size_t>(rank)];
    auto& extras = extras_[static_cast<std::size_t>(rank)];
    const auto ranks = static_cast<Rank>(area_.processes());
    const auto is_rank = [&](Rank value) { return value >= 0 && value < ranks; };

    // Records name addresses of modules that may be logged after them.
    for (LogReader reader(area_, rank); reader.next();) {
        ModuleRecord record;
        if (reader.type() == ModuleRecord::type && reader.read(record)) {
            modules.push_back({record.low, record.high, record.bias, record.path});
        }
    }
    LogReader reader(area_, rank);
    while (reader.next() && facts.log_sound) {
        switch (reader.type()) {
            case EpochPostedRecord::type: {
                EpochPostedRecord record;
                if (!reader.read(record) || record.index != facts.epochs.size() ||
                    record.kind > static_cast<std::uint32_t>(replay::EpochKind::polling_matched_probe)) {
                    facts.log_sound = false;
                    break;
                }
                Epoch epoch;
                epoch.id = {rank, record.index};
                epoch.kind = static_cast<replay::EpochKind>(record.kind);
                epoch.comm = record.comm;
                epoch.tag = record.tag;
                epoch.posted_clock = record.posted_clock;
                epoch.forced = record.forced != 0;
                epoch.call = record.call;
                epoch.where = place(rank, record.site);
                facts.epochs.push_back(std::move(epoch));
                extras.push_back({.order = record.order});
                break;
            }
            case EpochMatchedRecord::type: {
                EpochMatchedRecord record;
                if (!reader.read(record) || record.index >= facts.epochs.size() || !is_rank(record.source)) {
                    facts.log_sound = false;
                    break;
                }
                Epoch& epoch = facts.epochs[record.index];
                epoch.final_clock = record.final_clock;
                epoch.outcome = PotentialMatch{record.source, record.tag, record.number};
                extras[record.index].synchronous = record.synchronous != 0;
                break;
            }
            case PotentialMatchRecord::type: {
                PotentialMatchRecord record;
                if (!reader.read(record) || record.epoch >= facts.epochs.size() || !is_rank(record.source)) {
                    facts.log_sound = false;
                    break;
                }
                add_potential(facts.epochs[record.epoch], {record.source, record.tag, record.number});
                break;
            }
            case CommunicatorNameRecord::type: {
                CommunicatorNameRecord record;
                if (reader.read(record)) {
                    communicators_[record.comm] = record.name;
                }
                break;
            }
            case ViolationRecord::type: {
                ViolationRecord record;
                if (reader.read(record)) {
                    const CodePlace where = place(rank, record.site);
                    facts.violations.push_back(
                        {.kind = record.kind,
                         .message = record.message,
                         .ranks = {rank},
                         .situations = {RankSituation{rank, record.call, record.detail, where}}});
                }
                break;
            }
            case DivergenceRecord::type: {
                DivergenceRecord record;
                if (reader.read(record) && !facts.divergence) {
                    facts.divergence =
                        Violation{.kind = "divergence",
                                  .message = record.message,
                                  .ranks = {rank},
                                  .situations = {RankSituation{rank, record.call, "", place(rank, record.site)}}};
                }
                break;
            }
            case InternalErrorRecord::type: {
                InternalErrorRecord record;
                if (reader.read(record)) {
                    facts.internal_error = record.text;
                }
                break;
            }
            default:
                break;
        }
    }
    facts.log_sound = facts.log_sound && reader.sound();

    const RankHeader& header = area_.rank(rank);
    const Phase phase = header.phase.load(std::memory_order_acquire);
    facts.loaded = phase != Phase::absent;
    facts.started = phase > Phase::starting;
    facts.finalized = phase == Phase::finalized;
    facts.crash_signal = static_cast<int>(header.crash.signal.load(std::memory_order_acquire));
    if (facts.crash_signal != 0) {
        for (std::uint32_t i = 0; i < std::min(header.crash.frames, crash_frames); ++i) {
            // All but the first are return addresses: the call is just before.
            facts.crash_stack.push_back(place(rank, header.crash.program_counters[i] - (i == 0 ? 0 : 1)));
        }
    }
}

void RecordReader::analyse_leftovers(Rank rank) {
    RankFacts& facts = ranks_[static_cast<std::size_t>(rank)];
    const auto& extras = extras_[static_cast<std::size_t>(rank)];
    if (facts.epochs.empty()) {
        return;
    }
    const std::vector<LeftPending> pending = left_pending(area_, rank);
    facts.forced_pending =
        std::any_of(pending.begin(), pending.end(), [](const LeftPending& receive) { return receive.forced; });
    for (Rank source = 0; source < static_cast<Rank>(area_.processes()); ++source) {
        std::vector<bool> used(pending.size());
        for_each_open_envelope(area_, source, rank, [&](const Envelope& envelope) {
            // A pending receive with a named source takes the first message that fits it.
            std::uint64_t taken_by = clocks::never_taken;
            for (std::size_t i = 0; i < pending.size(); ++i) {
                if (!used[i] && pending[i].spec.source == source &&
                    pending[i].spec.fits(envelope.comm, source, envelope.tag)) {
                    used[i] = true;
                    taken_by = pending[i].order;
                    break;
                }
            }
            for (std::size_t i = 0; i < facts.epochs.size(); ++i) {
                Epoch& epoch = facts.epochs[i];
                const clocks::ReceiveSpec spec{.comm = epoch.comm, .source = clocks::any_source, .tag = epoch.tag};
                const clocks::LamportClock sent{envelope.clock};
                const bool late =
                    !epoch.outcome || (sent.is_late_for(clocks::LamportClock{epoch.final_clock}) &&
                                       (!extras[i].synchronous || clocks::LazyClocks::may_replace_synchronous(
                                                                      sent, clocks::LamportClock{epoch.posted_clock})));
                if (late && extras[i].order < taken_by && spec.fits(envelope.comm, source, envelope.tag)) {
                    add_potential(epoch, {source, envelope.tag, envelope.number});
                }
            }
        });
    }
}

std::map<std::string, std::uint64_t> RecordReader::not_modelled() const {
    std::map<std::string, std::uint64_t> counts;
    for (Rank rank = 0; rank < static_cast<Rank>(area_.processes()); ++rank) {
        if (area_.rank(rank).log_full.load(std::memory_order_acquire) != 0) {
            ++counts["epochs beyond the log's capacity"];
        }
        for (const NotModelledSlot& slot : area_.rank(rank).not_modelled) {
            const std::uint64_t count = slot.count.load(std::memory_order_relaxed);
            if (count != 0) {
                counts[std::string(slot.name, strnlen(slot.name, sizeof slot.name))] += count;
            }
        }
    }
    return counts;
}

std::vector<Violation> RecordReader::leftover_messages() {
    std::vector<Violation> notes;
    for (Rank source = 0; source < static_cast<Rank>(area_.processes()); ++source) {
        for (Rank destination = 0; destination < static_cast<Rank>(area_.processes()); ++destination) {
            std::map<std::uint64_t, std::pair<std::uint64_t, Envelope>> by_site;
            for_each_open_envelope(area_, source, destination, [&](const Envelope& envelope) {
                auto& [count, first] = by_site[envelope.site];
                if (count++ == 0) {
                    first = envelope;
                }
            });
            for (const auto& [site, found] : by_site) {
                const auto& [count, first] = found;
                Violation note;
                note.kind = "leak/message";
                note.message = (count == 1 ? "a message" : std::to_string(count) + " messages") + " from rank " +
                               std::to_string(source) + " to rank " + std::to_string(destination) + " with tag " +
                               std::to_string(first.tag) + (count == 1 ? "" : " (the first)") + " on " +
                               communicator_name(first.comm) + (count == 1 ? " was" : " were") + " never received";
                note.ranks = {source};
                note.situations = {
                    RankSituation{source, "", "to rank " + std::to_string(destination), place(source, site)}};
                notes.push_back(std::move(note));
            }
        }
    }
    return notes;
}

std::vector<Violation> RecordReader::uneven_collectives() {
    struct Entered {
        std::uint64_t count = 0;
        std::optional<Contribution> latest;
    };
    std::map<replay::CommId, std::map<Rank, Entered>> by_comm;
    for (Rank rank = 0; rank < static_cast<Rank>(area_.processes()); ++rank) {
        by_comm[clocks::world_comm][rank] = {};  // of the others only those who ever entered one are known
        for (const CollectiveProgress& progress : collective_progress(area_, rank)) {
            by_comm[progress.comm][rank] = {progress.entered, progress.latest};
        }
    }
    std::vector<Violation> violations;
    for (const auto& [comm, ranks] : by_comm) {
        const auto by_count = [](const auto& a, const auto& b) { return a.second.count < b.second.count; };
        const auto [least, most] = std::minmax_element(ranks.begin(), ranks.end(), by_count);
        if (least->second.count == most->second.count || !most->second.latest) {
            continue;
        }
        const char* function = operation_name(most->second.latest->operation);
        Violation violation;
        violation.kind = "collective/mismatch";
        violation.message = std::string(function) + " in rank " + std::to_string(most->first) +
                            " is not entered by rank " + std::to_string(least->first) + ": they enter " +
                            std::to_string(most->second.count) + " and " + std::to_string(least->second.count) +
                            " collectives of " + communicator_name(comm);
        violation.ranks = {std::min(least->first, most->first), std::max(least->first, most->first)};
        violation.situations = {
            RankSituation{most->first, function, "", place(most->first, most->second.latest->site)}};
        violations.push_back(std::move(violation));
    }
    return violations;
}

}  // namespace dampi::scheduler
