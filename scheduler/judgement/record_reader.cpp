#include "scheduler/judgement/record_reader.hpp"

#include "replay/possible_races.hpp"
#include "scheduler/judgement/program_stack.hpp"
#include "transport/collective_mismatch.hpp"
#include "transport/collective_operation.hpp"
#include "transport/log.hpp"
#include "transport/shares.hpp"
#include "transport/touch_stack.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <list>
#include <memory>
#include <tuple>
#include <utility>

namespace dampi::scheduler {
namespace {

using namespace transport;
using base::PostingOrder;
using base::Rank;
using clocks::RecordedReceive;
using replay::CodePlace;
using replay::Epoch;
using replay::EpochKind;
using replay::RankSituation;
using replay::Violation;

/// The most requests that one call of this kind can report.
std::size_t most_reported(EpochKind kind) {
    if (replay::reports_several(kind)) {
        return std::numeric_limits<std::size_t>::max();
    }
    return replay::reports_one(kind) ? 1 : 0;
}

/// MPICH's MPI_MAX_OBJECT_NAME.
constexpr std::size_t longest_object_name = 128;

bool can_be_printed(char c) { return c >= ' ' && c <= '~'; }

/// Text that a rank wrote, perhaps without an end.
std::string text_of(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return !can_be_printed(c); }, '?');
    return text;
}

/// A function's name that a rank wrote; empty if it cannot be one.
std::string call_name(const std::string& text) {
    return text.starts_with("MPI_") && std::all_of(text.begin(), text.end(), can_be_printed) ? text : "";
}

/// So many records are read although nobody wants to know any more: it takes no time, and what they show is true.
constexpr std::uint64_t records_in_any_case = 50'000;
/// Of one sender to one receiver, that are looked at once the run is over.
constexpr std::uint64_t most_open_messages = 20'000;

/// Whether these can be the places on a call stack.
bool is_stack(const std::vector<std::uint64_t>& frames) {
    return !frames.empty() && frames.size() <= stack_frames &&
           std::none_of(frames.begin(), frames.end(), transport::is_stack_place);
}

/// What a record takes of what is kept of a run.
std::uint64_t units_of(std::uint32_t type) {
    switch (type) {
        case EpochPostedRecord::type:
        case PollRecord::type:
            return units_of_epoch;
        case ReceivePostedRecord::type:
            return units_of_receive;
        case LateMessageRecord::type:
        case CandidateRecord::type:
        case CompletableRecord::type:
            return units_of_alternative;
        default:
            return 0;
    }
}

}  // namespace

void RecordReader::Recorded::drop(const base::MessageName& message) {
    const auto [at, is_first] = dropped.try_emplace({message.source, message.comm}, message.number);
    at->second = std::min(at->second, message.number);
}

void RecordReader::Recorded::keep(const base::MessageName& message, const SentData& data) {
    if (data.data.type != no_type) {
        sent.emplace(message, data);
    }
}

/// Takes in one rank's records, in order. Each of the functions is false when its record makes no sense.
class RecordReader::LogInterpreter {
public:
    LogInterpreter(RecordReader& reader, Rank rank)
        : reader_(reader),
          rank_(rank),
          facts_(reader.ranks_[static_cast<std::size_t>(rank)]),
          recorded_(reader.recorded_[static_cast<std::size_t>(rank)]) {}

    bool take(LogReader& log) {
        if (facts_.omitted) {
            return take_behind(log);
        }
        const bool taken = take_whole(log);
        recorded_.units += units_of(log.type());
        if (recorded_.units > recorded_.room) {
            facts_.omitted = {.from = static_cast<std::uint32_t>(facts_.epochs.size()), .count = 0, .clock = {}};
        }
        return taken;
    }

private:
    /// Behind the last epoch that is kept: only what is to be known of those before.
    bool take_behind(LogReader& log) {
        switch (log.type()) {
            case EpochPostedRecord::type:
                return omit(log);
            case PollRecord::type:
                return take_of_kept<PollRecord>(log);
            case AnsweringRecord::type:
                return take_of_kept<AnsweringRecord>(log);
            case CandidateRecord::type:
                return take_of_kept<CandidateRecord>(log);
            case CompletableRecord::type:
                return take_of_kept<CompletableRecord>(log);
            case AsksForAllRecord::type:
                return take_of_kept<AsksForAllRecord>(log);
            case ChosenRecord::type:
                return take_of_kept<ChosenRecord>(log);
            case MatchedRecord::type:
                return take_of_recorded<MatchedRecord>(log);
            case DroppedRecord::type:
                return take_of_recorded<DroppedRecord>(log);
            case LateMessageRecord::type:
                return take_late(log);
            case ReceivePostedRecord::type:
            case ThreadTurnRecord::type:
                return true;
            default:
                return take_whole(log);
        }
    }

    bool omit(LogReader& log) {
        EpochPostedRecord record;
        clocks::Clock posted;
        replay::OmittedEpochs& omitted = *facts_.omitted;
        if (!log.read(record) || record.index != omitted.from + omitted.count) {
            return false;
        }
        if (omitted.count == 0) {
            if (!clock(record.posted_clock, posted)) {
                return false;
            }
            omitted.clock = posted.lamport;  // those that follow know of no less
            if (!facts_.epochs.empty()) {
                facts_.epochs.back().context.follow_up = record.previous_follow_up;
            }
        }
        ++omitted.count;
        return true;
    }

    template <typename Record>
    bool take_of_kept(LogReader& log) {
        Record record;
        return log.read(record) && (record.index >= facts_.omitted->from || add(record));
    }

    template <typename Record>
    bool take_of_recorded(LogReader& log) {
        Record record;
        return log.read(record) && (!recorded_.receives.contains(record.order) || add(record));
    }

    /// There may be very many.
    bool take_late(LogReader& log) {
        LateMessageRecord record;
        if (!log.read(record)) {
            return false;
        }
        recorded_.units += units_of_alternative;
        if (recorded_.units <= recorded_.room + recorded_.room / 2) {
            return add(record);
        }
        recorded_.drop({.source = record.source, .comm = record.comm, .number = record.number});
        return true;
    }

    bool take_whole(LogReader& log) {
        switch (log.type()) {
            case EpochPostedRecord::type:
                return take_as<EpochPostedRecord>(log);
            case ThreadTurnRecord::type:
                return take_as<ThreadTurnRecord>(log);
            case PollRecord::type:
                return take_as<PollRecord>(log);
            case AnsweringRecord::type:
                return take_as<AnsweringRecord>(log);
            case ReceivePostedRecord::type:
                return take_as<ReceivePostedRecord>(log);
            case MatchedRecord::type:
                return take_as<MatchedRecord>(log);
            case DroppedRecord::type:
                return take_as<DroppedRecord>(log);
            case UnsureReadyRecord::type:
                return take_as<UnsureReadyRecord>(log);
            case TypeRecord::type:
                return take_as<TypeRecord>(log);
            case DifferingTypesRecord::type:
                return take_as<DifferingTypesRecord>(log);
            case ContradictionRecord::type:
                return take_as<ContradictionRecord>(log);
            case RaceRecord::type:
                return take_as<RaceRecord>(log);
            case LateMessageRecord::type:
                return take_as<LateMessageRecord>(log);
            case CandidateRecord::type:
                return take_as<CandidateRecord>(log);
            case CompletableRecord::type:
                return take_as<CompletableRecord>(log);
            case AsksForAllRecord::type:
                return take_as<AsksForAllRecord>(log);
            case ChosenRecord::type:
                return take_as<ChosenRecord>(log);
            case CommunicatorNameRecord::type:
                return take_as<CommunicatorNameRecord>(log);
            case CommunicatorMembersRecord::type:
                return take_as<CommunicatorMembersRecord>(log);
            case MismatchRecord::type:
                return take_as<MismatchRecord>(log);
            case ViolationRecord::type:
                return take_as<ViolationRecord>(log);
            case NoteRecord::type:
                return take_as<NoteRecord>(log);
            case StackRecord::type:
                return take_as<StackRecord>(log);
            case TouchStackRecord::type:
                return take_as<TouchStackRecord>(log);
            case DivergenceRecord::type:
                return take_as<DivergenceRecord>(log);
            case InternalErrorRecord::type:
                return take_as<InternalErrorRecord>(log);
            case UnsuitableRecord::type:
                return take_as<UnsuitableRecord>(log);
            default:
                return log.type() == ModuleRecord::type || log.type() == ScriptPlaceRecord::type;
        }
    }

    template <typename Record>
    bool take_as(LogReader& log) {
        Record record;
        return log.read(record) && add(record);
    }

    [[nodiscard]] bool is_rank(Rank value) const {
        return value >= 0 && value < static_cast<Rank>(reader_.run_.processes());
    }
    [[nodiscard]] bool is_source(Rank value) const { return value == base::any_source || is_rank(value); }
    [[nodiscard]] bool clock(ClockName name, clocks::Clock& into) const { return reader_.run_.read_clock(name, into); }
    /// Whether there is such an epoch, and it, or this call of the stretch that it is, is a choice among requests.
    [[nodiscard]] bool is_choice(std::uint32_t index, std::uint32_t poll) const {
        bool found = false;
        if (index < facts_.epochs.size()) {
            replay::for_each_poll(facts_.epochs[index], [&](const replay::PollView& each) {
                found = found || (each.number == poll && !replay::chooses_message(each.kind));
            });
        }
        return found;
    }
    RecordedReceive* unsettled(PostingOrder order) {
        const auto found = recorded_.receives.find(order);
        return found != recorded_.receives.end() && found->second.settled_at == clocks::never ? &found->second
                                                                                              : nullptr;
    }

    /// What EpochPostedRecord, AnsweringRecord and ReceivePostedRecord say of a receive.
    template <typename Record>
    bool add_receive(const Record& record, const base::ReceiveSpec& spec, std::optional<std::uint32_t> epoch,
                     std::uint32_t poll = 0) {
        RecordedReceive receive;
        receive.poll = poll;
        receive.order = record.order;
        receive.spec = spec;
        receive.epoch = epoch;
        receive.posted_at = record.posted_at;
        receive.oldest_pending = record.oldest_pending;
        return record.order != clocks::never_taken && record.posted_at != clocks::never &&
               clock(record.posted_clock, receive.posted) &&
               recorded_.receives.emplace(record.order, std::move(receive)).second;
    }

    bool take_context(const EpochPostedRecord& record, replay::EpochContext& context) const {
        if (record.stack != EpochPostedRecord::no_stack) {
            const auto stack = reader_.stack(rank_, record.stack);
            if (!stack) {
                return false;
            }
            context.stack = *stack;
        } else if (const auto stack = reader_.stack_of_place(rank_, record.site)) {
            context.stack = *stack;
        }
        context.zone = record.zone;
        context.bracketed = record.bracketed != 0;
        if (record.mixing_bound != EpochPostedRecord::no_mixing_bound) {
            context.mixing_bound = record.mixing_bound;
        }
        context.communicator_name = record.communicator_name;
        return record.communicator_name.size() <= longest_object_name;
    }

    bool add(const StackRecord& record) {
        return record.number < reader_.logged_stacks_[static_cast<std::size_t>(rank_)].size();  // it is read already
    }

    bool add(const EpochPostedRecord& record) {
        if (record.index != facts_.epochs.size() || !replay::is_epoch_kind(record.kind) || !is_source(record.source)) {
            return false;
        }
        Epoch epoch;
        epoch.id = {rank_, record.index};
        epoch.kind = static_cast<EpochKind>(record.kind);
        epoch.comm = record.comm;
        epoch.tag = record.tag;
        epoch.forced = record.forced != 0;
        epoch.call = record.call;
        epoch.where = reader_.place(rank_, record.site);
        const std::uint64_t before = recorded_.operations.empty() ? 0 : recorded_.operations.back();
        if (record.operation < before) {
            return false;
        }
        if (!take_context(record, epoch.context)) {
            return false;
        }
        if (!clock(record.posted_clock, epoch.posted)) {
            return false;
        }
        if (replay::chooses_message(epoch.kind) &&
            !add_receive(record, {.comm = record.comm, .source = record.source, .tag = record.tag}, record.index)) {
            return false;
        }
        if (!facts_.epochs.empty()) {
            facts_.epochs.back().context.follow_up = record.previous_follow_up;
        }
        facts_.epochs.push_back(std::move(epoch));
        recorded_.orders.push_back({record.order});
        recorded_.operations.push_back(record.operation);
        recorded_.asked.push_back({.data = data_of(record.data), .site = record.site});
        recorded_.false_answers.push_back(0);
        recorded_.released.push_back(0);
        recorded_.candidates.emplace_back();
        recorded_.completable.emplace_back();
        recorded_.asks_for_all.emplace_back();
        return true;
    }

    bool add(const PollRecord& record) {
        if (record.index >= facts_.epochs.size() || !replay::is_epoch_kind(record.kind) || !is_source(record.source)) {
            return false;
        }
        Epoch& epoch = facts_.epochs[record.index];
        replay::OtherPoll poll;
        poll.number = record.poll;
        poll.before = record.before;
        poll.kind = static_cast<EpochKind>(record.kind);
        poll.comm = record.comm;
        poll.tag = record.tag;
        poll.call = record.call;
        poll.where = reader_.place(rank_, record.site);
        if (!replay::is_polling(epoch.kind) || !replay::is_polling(poll.kind) || epoch.outcome ||
            record.poll != epoch.others.size() + 1 || record.poll >= replay::most_polls ||
            (replay::chooses_message(poll.kind) &&
             !add_receive(record, {.comm = record.comm, .source = record.source, .tag = record.tag}, record.index,
                          record.poll))) {
            return false;
        }
        epoch.others.push_back(std::move(poll));
        recorded_.orders[record.index].push_back(record.order);
        return true;
    }

    bool add(const ThreadTurnRecord& record) {
        const std::uint64_t last = recorded_.turns.empty() ? 0 : recorded_.turns.back().before;
        if (record.before < last) {
            return false;
        }
        recorded_.turns.push_back(record);
        return true;
    }

    bool add(const AnsweringRecord& record) {
        if (record.index >= facts_.epochs.size()) {
            return false;
        }
        Epoch& epoch = facts_.epochs[record.index];
        if (!replay::is_polling(epoch.kind) || epoch.outcome || !clock(record.posted_clock, epoch.posted) ||
            record.repetition > static_cast<std::uint32_t>(replay::last_repetition)) {
            return false;
        }
        const std::size_t polls = epoch.others.size() + 1;
        if (epoch.poll != 0 || record.polled.size() > replay::most_polled ||
            std::any_of(record.polled.begin(), record.polled.end(),
                        [&](std::uint32_t each) { return each >= polls; }) ||
            !replay::describe_by(epoch, record.poll)) {
            return false;
        }
        epoch.polled = record.polled;
        epoch.timed = record.timed != 0;
        recorded_.false_answers[record.index] = record.false_answers;
        recorded_.released[record.index] = std::min(record.released, record.false_answers);
        epoch.repetition = static_cast<replay::Repetition>(record.repetition);
        epoch.turns_after = record.turns_after;
        epoch.round = record.round;
        if (!replay::may_repeat_so(epoch.repetition, epoch.turns_after, epoch.round)) {
            return false;
        }
        for (const replay::OtherPoll& each : epoch.others) {
            if (replay::chooses_message(each.kind)) {  // until now it could have answered
                recorded_.receives.at(recorded_.orders[record.index][each.number]).posted = epoch.posted;
            }
        }
        if (!replay::chooses_message(epoch.kind)) {
            return true;
        }
        const auto first = recorded_.receives.find(recorded_.orders[record.index][record.poll]);
        if (first == recorded_.receives.end() || first->second.taken) {
            return false;
        }
        const base::ReceiveSpec spec = first->second.spec;
        recorded_.receives.erase(first);
        recorded_.orders[record.index][record.poll] = record.order;
        return add_receive(record, spec, record.index, record.poll);
    }

    bool add(const ReceivePostedRecord& record) {
        return is_source(record.source) &&
               add_receive(record, {.comm = record.comm, .source = record.source, .tag = record.tag}, std::nullopt);
    }

    bool add(const MatchedRecord& record) {
        RecordedReceive* receive = unsettled(record.order);
        if (receive == nullptr || !is_rank(record.source) || record.settled_at == clocks::never ||
            !receive->spec.fits(receive->spec.comm, record.source, record.tag)) {
            return false;
        }
        receive->settled_at = record.settled_at;
        receive->taken = {.source = record.source, .tag = record.tag, .number = record.number};
        receive->final = {record.final_clock};
        if (!clock(record.after_clock, receive->after)) {
            return false;
        }
        if (!receive->epoch) {
            return true;
        }
        Epoch& epoch = facts_.epochs[*receive->epoch];
        if (epoch.outcome || epoch.poll != receive->poll) {
            return false;  // it was given up
        }
        epoch.final = {record.final_clock};
        epoch.outcome = replay::Outcome{.source = record.source,
                                        .tag = record.tag,
                                        .number = record.number,
                                        .completed = {},
                                        .poll = epoch.poll,
                                        .false_answers = recorded_.false_answers[*receive->epoch],
                                        .released = recorded_.released[*receive->epoch]};
        return clock(record.past_clock, epoch.past);
    }

    bool add(const DroppedRecord& record) {
        RecordedReceive* receive = unsettled(record.order);
        if (receive == nullptr || record.settled_at == clocks::never) {
            return false;
        }
        receive->settled_at = record.settled_at;
        return true;
    }

    bool add(const UnsureReadyRecord& record) {
        if (!is_rank(record.source)) {
            return false;
        }
        reader_.unsure_.push_back({.source = record.source,
                                   .destination = rank_,
                                   .comm = record.comm,
                                   .tag = record.tag,
                                   .site = record.site});
        return true;
    }

    bool add(const TypeRecord& record) {
        if (record.parts.size() % 3 != 0) {
            return false;
        }
        TypeDescription description{.maker = static_cast<TypeMaker>(record.maker),
                                    .name = text_of(record.name),
                                    .items = record.items,
                                    .parts = {}};
        for (std::size_t i = 0; i < record.parts.size(); i += 3) {
            description.parts.push_back({.blocks = record.parts[i],
                                         .length = record.parts[i + 1],
                                         .type = static_cast<TypeNumber>(record.parts[i + 2])});
        }
        return reader_.types_.table(rank_).add(std::move(description)) != no_type;
    }

    bool add(const DifferingTypesRecord& record) {
        if (!is_rank(record.source)) {
            return false;
        }
        reader_.received_.push_back({.sent = {.source = record.source,
                                              .comm = record.comm,
                                              .tag = record.tag,
                                              .data = data_of(record.sent),
                                              .site = record.send_site},
                                     .destination = rank_,
                                     .data = data_of(record.received),
                                     .site = record.receive_site});
        return true;
    }

    bool add(const ContradictionRecord& record) {
        const auto kind = replay::violation_kind_of(record.kind);
        if (!kind || !is_rank(record.earlier_rank)) {
            return false;
        }
        if (*kind == replay::ViolationKind::rma_race) {
            // A race that is certain has a record of its own; of one that may be the places are told.
            add_possible_race(record);
            return true;
        }
        Violation misuse{.kind = *kind,
                         .message = text_of(record.message),
                         .ranks = {rank_},
                         .situations = {RankSituation{.rank = rank_,
                                                      .call = text_of(record.call),
                                                      .where = reader_.place(rank_, record.site),
                                                      .arguments = text_of(record.arguments),
                                                      .stack = reader_.stack_at(rank_, record.site)}}};
        if (!record.earlier_call.empty()) {
            misuse.situations.push_back({.rank = record.earlier_rank,
                                         .call = text_of(record.earlier_call),
                                         .detail = text_of(record.earlier_what),
                                         .where = reader_.place(record.earlier_rank, record.earlier_site),
                                         .stack = reader_.stack_at(record.earlier_rank, record.earlier_site)});
        }
        facts_.violations.push_back(std::move(misuse));
        return true;
    }

    void add_possible_race(const ContradictionRecord& record) {
        const std::string own = text_of(record.call) + " of rank " + std::to_string(rank_);
        const std::string other = text_of(record.earlier_call) + " of rank " + std::to_string(record.earlier_rank);
        const auto note = [&](const std::string& one, const std::string& against, CodePlace where) {
            reader_.possible_races_[replay::possible_race_between(one, against)].add(
                {.calls = 1, .places = {std::move(where)}});
        };
        note(own, other, reader_.place(rank_, record.site));
        note(other, own, reader_.place(record.earlier_rank, record.earlier_site));
    }

    bool add(const RaceRecord& record) {
        if (!(is_rank(record.target) || record.target == buffer_of_origin) || !is_rank(record.peer)) {
            return false;
        }
        const auto access = [&](Rank rank, const transport::RaceFields& fields) {
            return WindowAccess{.rank = rank,
                                .site = fields.site,
                                .call = text_of(fields.call),
                                .first = fields.first,
                                .last = fields.last};
        };
        reader_.races_.push_back({.window = text_of(record.name),
                                  .target = record.target,
                                  .met = record.met,
                                  .one = access(rank_, record.own),
                                  .other = access(record.peer, record.theirs)});
        return true;
    }

    bool add(const LateMessageRecord& record) {
        clocks::LateMessage message;
        message.name = {.source = record.source, .comm = record.comm, .number = record.number};
        message.tag = record.tag;
        message.taken_by = record.taken_by;
        if (!is_rank(record.source) || !clock(record.clock, message.clock)) {
            return false;
        }
        recorded_.keep(message.name, {.source = record.source,
                                      .comm = record.comm,
                                      .tag = record.tag,
                                      .data = data_of(record.data),
                                      .site = record.site});
        recorded_.messages.push_back(std::move(message));
        return true;
    }

    bool add(const CandidateRecord& record) {
        if (!is_choice(record.index, record.poll) || !recorded_.receives.contains(record.order)) {
            return false;
        }
        recorded_.candidates[record.index][{record.poll, record.position}] = record.order;
        return true;
    }

    bool add(const CompletableRecord& record) {
        clocks::Clock known;
        if (!is_choice(record.index, record.poll) || !clock(record.clock, known)) {
            return false;
        }
        recorded_.completable[record.index][{record.poll, record.position}] = std::move(known);
        return true;
    }

    bool add(const AsksForAllRecord& record) {
        if (!is_choice(record.index, record.poll)) {
            return false;
        }
        recorded_.asks_for_all[record.index][record.poll] = record.requests;
        return true;
    }

    bool add(const ChosenRecord& record) {
        if (record.index >= facts_.epochs.size()) {
            return false;
        }
        Epoch& epoch = facts_.epochs[record.index];
        const bool may_be_empty = replay::is_polling(epoch.kind) || !replay::chooses_message(epoch.kind);
        if (epoch.outcome || record.completed.size() > most_reported(epoch.kind) ||
            (record.completed.empty() && !may_be_empty) ||
            std::adjacent_find(record.completed.begin(), record.completed.end(), std::greater_equal<>()) !=
                record.completed.end() ||
            !clock(record.posted_clock, epoch.posted) || !clock(record.past_clock, epoch.past)) {
            return false;
        }
        epoch.final = {record.final_clock};
        epoch.outcome = replay::Outcome{.source = base::any_source,
                                        .tag = 0,
                                        .number = 0,
                                        .completed = record.completed,
                                        .poll = epoch.poll,
                                        .false_answers = recorded_.false_answers[record.index],
                                        .released = recorded_.released[record.index]};
        return true;
    }

    bool add(const CommunicatorNameRecord& record) {
        reader_.communicators_[record.comm] = record.name;
        return true;
    }

    bool add(const CommunicatorMembersRecord& record) {
        if (record.ranges.size() % 3 != 0) {
            return false;
        }
        std::set<Rank>& members = reader_.members_[record.comm];
        for (std::size_t i = 0; i < record.ranges.size(); i += 3) {
            const std::uint64_t first = record.ranges[i];
            const std::uint64_t count = record.ranges[i + 1];
            const std::uint64_t step = record.ranges[i + 2];
            if (count == 0 || count > reader_.run_.processes() ||
                first + (count - 1) * step >= reader_.run_.processes()) {
                return false;
            }
            for (std::uint64_t k = 0; k < count; ++k) {
                members.insert(static_cast<Rank>(first + k * step));
            }
        }
        return true;
    }

    bool add(const MismatchRecord& record) {
        if (!is_rank(record.peer) || record.peer == rank_) {
            return false;
        }
        const auto part = [&](Rank rank, const PartFields& fields) {
            return Part{.rank = rank,
                        .contribution = {.sequence = record.sequence,
                                         .clock = 0,
                                         .operation = fields.operation,
                                         .reduction = fields.reduction,
                                         .root = fields.root,
                                         .site = fields.site,
                                         .sent = fields.sent,
                                         .received = fields.received,
                                         .sent_data = data_of(fields.sent_data),
                                         .received_data = data_of(fields.received_data),
                                         .arguments = fields.arguments}};
        };
        Parts parts{part(rank_, record.own), part(record.peer, record.theirs)};
        if (record.peer < rank_) {
            std::swap(parts.first, parts.second);
        }
        reader_.noticed_.try_emplace({record.comm, record.sequence}, parts);
        return true;
    }

    [[nodiscard]] Violation violation(const ViolationRecord& record, replay::ViolationKind kind) const {
        Violation found{.kind = kind,
                        .message = record.message,
                        .ranks = {rank_},
                        .situations = {RankSituation{.rank = rank_,
                                                     .call = record.call,
                                                     .detail = record.detail,
                                                     .where = reader_.place(rank_, record.site),
                                                     .arguments = record.arguments,
                                                     .stack = reader_.stack_at(rank_, record.site)}}};
        if (record.stack != EpochPostedRecord::no_stack) {
            found.situations.front().stack = reader_.stack_at(rank_, transport::stack_places + record.stack);
        }
        for (const transport::OtherCallFields& other : record.others) {
            if (!other.call.empty()) {
                found.situations.push_back({.rank = rank_,
                                            .call = other.call,
                                            .detail = other.detail,
                                            .where = reader_.place(rank_, other.site),
                                            .stack = reader_.stack_at(rank_, other.site)});
            }
        }
        return found;
    }

    bool add(const ViolationRecord& record, std::vector<Violation>& violations) {
        const auto kind = replay::violation_kind_of(record.kind);
        if (!kind) {
            return false;
        }
        violations.push_back(violation(record, *kind));
        return true;
    }

    bool add(const ViolationRecord& record) {
        if (!add(record, facts_.violations)) {
            return false;
        }
        if (!touch_stack_.empty()) {
            facts_.violations.back().situations.front().stack = reader_.resolved(rank_, touch_stack_);
            touch_stack_.clear();
        }
        return true;
    }

    bool add(const TouchStackRecord& record) {
        touch_stack_ = record.frames;
        return touch_stack_.empty() || is_stack(touch_stack_);
    }

    bool add(const NoteRecord& record) { return add(record, facts_.notes); }

    bool add(const DivergenceRecord& record) {
        if (!facts_.divergence) {
            facts_.divergence =
                Violation{.kind = replay::ViolationKind::divergence,
                          .message = record.message,
                          .ranks = {rank_},
                          .situations = {RankSituation{rank_, record.call, "", reader_.place(rank_, record.site)}}};
        }
        return true;
    }

    bool add(const InternalErrorRecord& record) {
        facts_.internal_error = record.text;
        return true;
    }

    bool add(const UnsuitableRecord& record) {
        facts_.unsuitable = record.text;
        return true;
    }

    std::vector<std::uint64_t> touch_stack_;  ///< of the violation that comes next

    RecordReader& reader_;
    Rank rank_;
    RankFacts& facts_;
    Recorded& recorded_;
};

bool RecordReader::leaves_off(const std::stop_token& stop) {
    return ++records_ > records_in_any_case && records_ % 1024 == 0 && stop.stop_requested();
}

bool RecordReader::read(const std::stop_token& stop) {
    records_ = 0;
    const auto count = static_cast<std::size_t>(run_.processes());
    ranks_.assign(count, {});
    modules_.assign(count, {});
    script_places_.assign(count, {});
    logged_stacks_.assign(count, {});
    recorded_.assign(count, {});
    noticed_.clear();
    noticed_starts_.clear();
    unsure_.clear();
    received_.clear();
    differing_calls_.clear();
    races_.clear();
    types_ = MessageTypes(count);
    stacks_.clear();
    known_stacks_.clear();
    members_.clear();
    for (std::size_t rank = 0; rank < count; ++rank) {
        members_[base::world_comm].insert(static_cast<Rank>(rank));
    }
    communicators_ = {{base::world_comm, "MPI_COMM_WORLD"}};
    std::vector<std::uint64_t> units;
    for (std::size_t rank = 0; rank < count; ++rank) {
        units.push_back(read_places(static_cast<Rank>(rank)));
    }
    const std::uint64_t share = share_of_each(units, most_units_);
    for (std::size_t rank = 0; rank < count; ++rank) {
        recorded_[rank].room = share;
        read_log(static_cast<Rank>(rank), stop);
    }
    if (records_ > records_in_any_case && stop.stop_requested()) {
        return false;
    }
    for (std::size_t rank = 0; rank < count; ++rank) {
        add_leftovers(static_cast<Rank>(rank));
        analyse(static_cast<Rank>(rank));
    }
    add(unsure_);
    add_races();
    for (const ReceivedData& received : received_) {
        add(received);
    }
    recorded_.clear();
    return true;
}

void RecordReader::add(const std::vector<UnsureReadySend>& sends) {
    std::set<std::pair<Rank, std::uint64_t>> known;
    for (const UnsureReadySend& send : sends) {
        if (!known.emplace(send.source, send.site).second) {
            continue;
        }
        const std::string to = "to rank " + std::to_string(send.destination) + " with tag " + std::to_string(send.tag) +
                               " on " + communicator_name(send.comm);
        ranks_[static_cast<std::size_t>(send.source)].violations.push_back(
            {.kind = replay::ViolationKind::argument_ready,
             .message = "a message of the ready mode from rank " + std::to_string(send.source) + " " + to +
                        " was sent though nothing made sure that its receive was posted",
             .ranks = {send.source},
             .situations = {RankSituation{.rank = send.source,
                                          .call = "ready send",
                                          .detail = to,
                                          .where = place(send.source, send.site),
                                          .stack = stack_at(send.source, send.site)}}});
    }
}

void RecordReader::add_races() {
    // Of what several ranks do at the same places, one pair of ranks is told.
    using Places = std::pair<CodePlace, CodePlace>;
    std::map<Places, Violation> found;
    for (WindowRace& race : races_) {
        if (std::tie(race.other.rank, race.other.site) < std::tie(race.one.rank, race.one.site)) {
            std::swap(race.one, race.other);
        }
        Violation violation =
            violation_of(race, place(race.one.rank, race.one.site), place(race.other.rank, race.other.site));
        violation.situations.front().stack = stack_at(race.one.rank, race.one.site);
        violation.situations.back().stack = stack_at(race.other.rank, race.other.site);
        const auto [lower, higher] = std::minmax(violation.situations.front().where, violation.situations.back().where);
        const auto [known, is_new] = found.try_emplace(Places(lower, higher), violation);
        if (!is_new &&
            std::tie(violation.ranks, violation.message) < std::tie(known->second.ranks, known->second.message)) {
            known->second = std::move(violation);
        }
    }
    for (auto& [places, violation] : found) {
        ranks_[static_cast<std::size_t>(violation.ranks.front())].violations.push_back(std::move(violation));
    }
}

std::optional<Violation> RecordReader::type_violation(const ReceivedData& received) {
    const auto found = types_.difference(received);
    if (!found) {
        return std::nullopt;
    }
    const SentData& sent = received.sent;
    Violation violation;
    violation.kind = replay::ViolationKind::type_message;
    violation.message = "rank " + std::to_string(received.destination) + " receives a message of rank " +
                        std::to_string(sent.source) + " with tag " + std::to_string(sent.tag) + " on " +
                        communicator_name(sent.comm) +
                        " as other types than it was sent: " + scheduler::text_of(*found);
    violation.ranks = {std::min(sent.source, received.destination), std::max(sent.source, received.destination)};
    violation.ranks.erase(std::unique(violation.ranks.begin(), violation.ranks.end()), violation.ranks.end());
    const auto situation = [&](Rank rank, const char* call, const std::string& path, const std::string& name,
                               std::uint64_t site) {
        violation.situations.push_back({.rank = rank,
                                        .call = call,
                                        .detail = (path.empty() ? "" : path + ": ") + name,
                                        .where = place(rank, site),
                                        .stack = stack_at(rank, site)});
    };
    situation(received.destination, "receive", found->path, found->name, received.site);
    situation(sent.source, "send", found->other_path, found->other_name, sent.site);
    return violation;
}

void RecordReader::add(const ReceivedData& received) {
    auto violation = type_violation(received);
    if (violation &&
        differing_calls_.emplace(received.destination, received.site, received.sent.source, received.sent.site)
            .second) {
        ranks_[static_cast<std::size_t>(received.destination)].violations.push_back(*std::move(violation));
    }
}

void RecordReader::foresee(const replay::EpochId& epoch, const replay::Outcome& outcome, const ReceivedData& received) {
    if (auto violation = type_violation(received)) {
        ranks_[static_cast<std::size_t>(received.destination)].foreseen.push_back(
            {.violation = *std::move(violation), .epoch = epoch, .outcome = outcome});
    }
}

std::optional<std::uint32_t> RecordReader::stack(Rank rank, std::uint32_t number) {
    auto& stacks = logged_stacks_[static_cast<std::size_t>(rank)];
    return number < stacks.size() ? std::optional(place_of(stacks[number], rank)) : std::nullopt;
}

std::uint32_t RecordReader::place_of(LoggedStack& stack, Rank rank) {
    if (!stack.place) {
        stack.place = add_stack(rank, stack.frames);
    }
    return *stack.place;
}

const std::vector<std::uint64_t>& RecordReader::frames_at(Rank rank, std::uint64_t address) const {
    static const std::vector<std::uint64_t> none;
    const auto& stacks = logged_stacks_[static_cast<std::size_t>(rank)];
    const std::uint64_t number = address - transport::stack_places;
    return transport::is_stack_place(address) && number < stacks.size() ? stacks[number].frames : none;
}

std::optional<std::uint32_t> RecordReader::stack_of_place(Rank rank, std::uint64_t address) {
    const std::uint64_t number = address - transport::stack_places;
    return transport::is_stack_place(address) && number < EpochPostedRecord::no_stack
               ? stack(rank, static_cast<std::uint32_t>(number))
               : std::nullopt;
}

std::vector<CodePlace> RecordReader::stack_at(Rank rank, std::uint64_t address) {
    return resolved(rank, frames_at(rank, address));
}

CodePlace RecordReader::place(Rank rank, std::uint64_t address) {
    CodePlace found;
    if (address >= transport::script_places) {
        const auto& known = script_places_[static_cast<std::size_t>(rank)];
        const std::uint64_t number = address - transport::script_places;
        return number < known.size() ? known[number] : found;
    }
    if (transport::is_stack_place(address)) {
        const std::vector<std::uint64_t>& frames = frames_at(rank, address);
        return frames.empty() ? found : place(rank, frames.front());
    }
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

void RecordReader::add_functions(Rank rank, std::uint64_t address, std::vector<CodePlace>& stack) {
    if (address >= transport::script_places) {
        stack.push_back(place(rank, address));
        return;
    }
    for (CodePlace& function : lines_.resolve_inlined(place(rank, address))) {
        stack.push_back(std::move(function));
    }
}

std::vector<CodePlace> RecordReader::resolved(Rank rank, const std::vector<std::uint64_t>& frames) {
    std::vector<CodePlace> stack;
    for (const std::uint64_t frame : frames) {
        add_functions(rank, frame, stack);
    }
    return program_stack(std::move(stack));
}

std::vector<std::vector<CodePlace>> RecordReader::logged_call_stacks() {
    constexpr std::size_t most = 4096;
    std::vector<std::vector<CodePlace>> all;
    for (std::size_t rank = 0; rank < logged_stacks_.size(); ++rank) {
        for (const LoggedStack& stack : logged_stacks_[rank]) {
            if (all.size() < most) {
                all.push_back(resolved(static_cast<Rank>(rank), stack.frames));
            }
        }
    }
    return all;
}

std::uint32_t RecordReader::add_stack(Rank rank, const std::vector<std::uint64_t>& frames) {
    std::vector<CodePlace> stack = resolved(rank, frames);
    std::vector<std::pair<std::string, std::uint64_t>> key;
    key.reserve(stack.size());
    for (const CodePlace& frame : stack) {
        key.emplace_back(frame.module, frame.offset);
    }
    const auto [known, added] = known_stacks_.try_emplace(std::move(key), static_cast<std::uint32_t>(stacks_.size()));
    if (added) {
        stacks_.push_back(std::move(stack));
    }
    return known->second;
}

std::optional<RankSituation> RecordReader::situation(Rank rank, const std::vector<CodePlace>& stack) {
    const std::optional<WrittenSituation> written = run_.situation(rank);
    const LastCall last = run_.last_call(rank);
    RankSituation situation{.rank = rank, .call = "", .detail = "", .where = {}};
    const std::string last_name = call_name(last.name);
    const std::string call = written ? call_name(written->call) : "";
    std::vector<CodePlace> frames;
    if (!call.empty()) {
        situation.call = call;
        situation.where = place(rank, written->site);
        situation.arguments = text_of(written->arguments);
        for (const std::uint64_t frame : written->frames) {
            add_functions(rank, frame, frames);
        }
    } else {
        for (const CodePlace& frame : stack) {
            const std::vector<CodePlace> functions = lines_.resolve_inlined(frame);
            frames.insert(frames.end(), functions.begin(), functions.end());
        }
        if (!last_name.empty()) {
            (last.inside ? situation.call : situation.last_call) = last_name;
            situation.where = place(rank, last.site);
        }
    }
    situation.stack = program_stack(std::move(frames));
    if (situation.call.empty() && situation.last_call.empty() && situation.stack.empty()) {
        return std::nullopt;
    }
    return situation;
}

std::string RecordReader::communicator_name(replay::CommId comm) const {
    return scheduler::communicator_name(communicators_, comm);
}

void RecordReader::order_threads(Rank rank) {
    const Recorded& recorded = recorded_[static_cast<std::size_t>(rank)];
    if (recorded.turns.empty() || recorded.operations.empty()) {
        return;
    }
    replay::ThreadOrder::Turns turns;
    const auto add = [&](replay::ThreadName thread, std::uint64_t operations) {
        constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
        for (; operations != 0; operations -= std::min(operations, most)) {
            turns.push_back({.thread = thread, .operations = static_cast<std::uint32_t>(std::min(operations, most))});
        }
    };
    const std::uint64_t last = recorded.operations.back();  // what comes after it is of no use
    replay::ThreadName thread = replay::main_thread;
    std::uint64_t before = 0;
    for (const ThreadTurnRecord& record : recorded.turns) {
        const std::uint64_t end = std::min(record.before, last);
        add(thread, end - before);
        thread = record.thread;
        before = end;
    }
    add(thread, last - before);
    const auto all = std::make_shared<const replay::ThreadOrder::Turns>(std::move(turns));
    std::vector<Epoch>& epochs = ranks_[static_cast<std::size_t>(rank)].epochs;
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        replay::ThreadOrder order(all, recorded.operations[i]);
        const std::size_t size = order.turns().size();
        if (size > turns_left_) {
            return;  // a guided run follows what the earlier ones say
        }
        turns_left_ -= size;
        epochs[i].threads = std::move(order);
    }
}

std::uint64_t RecordReader::read_places(Rank rank) {
    auto& modules = modules_[static_cast<std::size_t>(rank)];
    auto& scripts = script_places_[static_cast<std::size_t>(rank)];
    auto& stacks = logged_stacks_[static_cast<std::size_t>(rank)];
    std::uint64_t units = 0;
    for (LogReader reader(run_.log(rank)); reader.next();) {
        units += units_of(reader.type());
        ModuleRecord record;
        if (reader.type() == ModuleRecord::type && reader.read(record)) {
            modules.push_back({record.low, record.high, record.bias, record.path});
        }
        ScriptPlaceRecord script;
        if (reader.type() == ScriptPlaceRecord::type && reader.read(script)) {
            scripts.push_back({.module = script.file,
                               .offset = script.line,
                               .function = script.function,
                               .file = script.file,
                               .line = static_cast<int>(script.line)});
        }
        StackRecord stack;
        if (reader.type() == StackRecord::type && reader.read(stack) && stack.number == stacks.size() &&
            is_stack(stack.frames)) {
            stacks.push_back({.frames = stack.frames, .place = {}});
        }
    }
    return units;
}

void RecordReader::read_log(Rank rank, const std::stop_token& stop) {
    RankFacts& facts = ranks_[static_cast<std::size_t>(rank)];
    LogReader reader(run_.log(rank));
    LogInterpreter interpreter(*this, rank);
    while (facts.log_sound && !leaves_off(stop) && reader.next()) {
        facts.log_sound = interpreter.take(reader);
    }
    facts.log_sound = facts.log_sound && reader.sound();
    order_threads(rank);

    const RankRemains remains = run_.remains(rank);
    if (remains.log_full && !facts.omitted) {
        facts.omitted = {.from = static_cast<std::uint32_t>(facts.epochs.size()),
                         .count = 0,
                         .clock = facts.epochs.empty() ? clocks::LamportClock{} : facts.epochs.back().posted.lamport};
    }
    if (!facts.epochs.empty() && !facts.omitted) {
        facts.epochs.back().context.follow_up = remains.follow_up;
    }
    const Phase phase = run_.phase(rank);
    facts.loaded = phase != Phase::absent;
    facts.beginning = run_.time_of(rank, Moment::init_entered).has_value();
    facts.started = phase > Phase::starting;
    facts.finalizing = phase >= Phase::finalizing;
    facts.finalized = phase == Phase::finalized;
    facts.failing = remains.failing;
    facts.open_sessions = remains.open_sessions;
    if (facts.open_sessions != 0) {
        facts.session = place(rank, remains.session_site);
    }
    facts.crash_signal = remains.crash_signal;
    facts.exit_status = remains.exit_status;
    if (remains.main_function != 0) {
        facts.main_function = place(rank, remains.main_function);
    }
    if (remains.main_function != 0 && !remains.crash_stack.empty() &&
        remains.crash_stack.front() == remains.main_function) {
        add_way_out_of_main(rank, remains);
    } else {
        for (const std::uint64_t frame : remains.crash_stack) {
            add_functions(rank, frame, facts.crash_stack);
        }
    }
    if (facts.crash_signal != 0) {
        add_last_poll(rank, remains);
    }
}

void RecordReader::add_way_out_of_main(Rank rank, const RankRemains& remains) {
    RankFacts& facts = ranks_[static_cast<std::size_t>(rank)];
    facts.way_out_of_main.is_unoptimised = lines_.is_unoptimised(facts.main_function);
    for (std::size_t i = 1; i < remains.crash_stack.size(); ++i) {
        std::vector<CodePlace> functions;
        add_functions(rank, remains.crash_stack[i], functions);
        facts.way_out_of_main.places.push_back(std::move(functions.back()));  // not what was inlined into main
    }
}

void RecordReader::add_last_poll(Rank rank, const RankRemains& remains) {
    const std::uint32_t false_answers = remains.polling_false_answers;
    const std::uint32_t index = remains.polling_epoch;
    std::vector<Epoch>& epochs = ranks_[static_cast<std::size_t>(rank)].epochs;
    if (false_answers == 0 || index >= epochs.size() || !replay::is_polling(epochs[index].kind) ||
        epochs[index].outcome) {
        return;
    }
    Epoch& epoch = epochs[index];
    epoch.final = epoch.posted.lamport;
    epoch.past = epoch.posted;
    epoch.outcome.emplace().false_answers = false_answers;
}

void RecordReader::add_leftovers(Rank rank) {
    RankFacts& facts = ranks_[static_cast<std::size_t>(rank)];
    Recorded& recorded = recorded_[static_cast<std::size_t>(rank)];
    if (facts.epochs.empty()) {
        return;
    }
    // Receives with a named source that were still pending when the run ended.
    std::vector<PostingOrder> pending;
    const auto posted = run_.posted(rank, std::numeric_limits<std::uint64_t>::max());
    for (const PostedReceive& shown : *posted) {
        facts.forced_pending = facts.forced_pending || shown.forced != base::any_source;
        if (shown.spec.source == base::any_source) {
            continue;  // an epoch, which the log knows
        }
        const auto [known, is_new] = recorded.receives.try_emplace(shown.order);
        RecordedReceive& receive = known->second;
        if (is_new) {
            receive.order = shown.order;
            receive.spec = shown.spec;
            receive.posted_at = shown.posted_at;
            receive.oldest_pending = shown.oldest_pending;
            if (!run_.read_clock(shown.posted_clock, receive.posted)) {
                facts.log_sound = false;
                recorded.receives.erase(known);
                continue;
            }
        }
        if (!receive.epoch && receive.settled_at == clocks::never) {
            pending.push_back(shown.order);
        }
    }
    std::sort(pending.begin(), pending.end());
    pending.erase(std::unique(pending.begin(), pending.end()), pending.end());

    for (Rank source = 0; source < static_cast<Rank>(run_.processes()); ++source) {
        std::uint64_t open = 0;
        run_.for_each_open(source, rank, [&](const Envelope& envelope) {
            clocks::LateMessage message;
            message.name = {.source = source, .comm = envelope.comm, .number = envelope.number};
            if (++open > most_open_messages) {
                recorded.drop(message.name);
                if (!facts.omitted) {
                    facts.omitted = {.from = static_cast<std::uint32_t>(facts.epochs.size()),
                                     .count = 0,
                                     .clock = facts.epochs.back().posted.lamport};
                }
                return;
            }
            message.tag = envelope.tag;
            recorded.keep(message.name, {.source = source,
                                         .comm = envelope.comm,
                                         .tag = envelope.tag,
                                         .data = envelope.data,
                                         .site = envelope.site});
            if (!run_.read_clock(envelope.clock, message.clock)) {
                ranks_[static_cast<std::size_t>(source)].log_sound = false;
                return;
            }
            // A pending receive with a named source takes the first message that fits it.
            const auto taker = std::find_if(pending.begin(), pending.end(), [&](PostingOrder order) {
                const base::ReceiveSpec& spec = recorded.receives.at(order).spec;
                return spec.source == source && spec.fits(envelope.comm, source, envelope.tag);
            });
            if (taker != pending.end()) {
                message.taken_by = *taker;
                RecordedReceive& receive = recorded.receives.at(*taker);
                receive.taken = {.source = source, .tag = envelope.tag, .number = envelope.number};
                receive.after = receive.posted;
                receive.after.merge(message.clock);
                pending.erase(taker);
            }
            recorded.messages.push_back(std::move(message));
        });
    }
}

void RecordReader::analyse(Rank rank) {
    RankFacts& facts = ranks_[static_cast<std::size_t>(rank)];
    Recorded& recorded = recorded_[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i < facts.epochs.size(); ++i) {
        Epoch& epoch = facts.epochs[i];
        for (const auto& [place, order] : recorded.candidates[i]) {
            const auto receive = recorded.receives.find(order);
            if (receive != recorded.receives.end() && receive->second.taken) {
                const auto& of = receive->second;
                clocks::Clock behind = of.epoch ? facts.epochs[*of.epoch].past : of.after;
                // With Lamport clocks the match itself has a higher clock the later it is found out.
                if (of.epoch && run_.protocol() == clocks::Protocol::vector) {
                    behind.vector.add(rank, facts.epochs[*of.epoch].id.index);
                }
                recorded.completable[i].try_emplace(place, std::move(behind));
            }
        }
        for (auto& [place, known] : recorded.completable[i]) {
            replay::completable_of(epoch, place.first).push_back({.position = place.second, .known = std::move(known)});
        }
        for (const auto& [poll, requests] : recorded.asks_for_all[i]) {
            replay::forget_unless_all(epoch, poll, requests);
        }
    }

    std::vector<RecordedReceive> receives;
    bool open = false;
    receives.reserve(recorded.receives.size());
    for (auto& [order, receive] : recorded.receives) {
        if (receive.epoch && !receive.taken) {
            const Epoch& epoch = facts.epochs[*receive.epoch];
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
        open = open || receive.epoch;
        receives.push_back(std::move(receive));
    }
    // What a receive takes is the first that fits: where some are dropped, later ones of the same sender say nothing.
    std::erase_if(recorded.messages, [&](const clocks::LateMessage& message) {
        const auto dropped = recorded.dropped.find({message.name.source, message.name.comm});
        return dropped != recorded.dropped.end() && message.name.number > dropped->second;
    });
    if (!open || recorded.messages.empty()) {
        return;
    }
    std::sort(receives.begin(), receives.end(),
              [](const RecordedReceive& a, const RecordedReceive& b) { return a.order < b.order; });
    for (clocks::FoundMatch& found :
         clocks::potential_matches(rank, run_.protocol(), receives, std::move(recorded.messages))) {
        const Epoch& epoch = facts.epochs[found.epoch];
        if (const AskedData& asked = recorded.asked[found.epoch]; asked.data.type != no_type) {
            const auto sent = recorded.sent.find(
                {.source = found.message.source, .comm = epoch.comm, .number = found.message.number});
            if (sent != recorded.sent.end()) {
                foresee(epoch.id,
                        {.source = found.message.source, .tag = found.message.tag, .number = found.message.number},
                        {.sent = sent->second, .destination = rank, .data = asked.data, .site = asked.site});
            }
        }
        replay::potential_matches_of(facts.epochs[found.epoch], found.poll)
            .push_back({.source = found.message.source,
                        .tag = found.message.tag,
                        .number = found.message.number,
                        .past = std::move(found.past)});
    }
}

replay::AllNotModelled RecordReader::not_modelled() {
    replay::AllNotModelled all = possible_races_;
    for (Rank rank = 0; rank < static_cast<Rank>(run_.processes()); ++rank) {
        const RankRemains remains = run_.remains(rank);
        if (remains.log_full) {
            ++all["epochs beyond the log's capacity"].calls;
        }
        for (const RankRemains::NotModelled& own : remains.not_modelled) {
            replay::NotModelled calls{.calls = own.count};
            if (CodePlace first = place(rank, own.site); !first.module.empty()) {
                calls.places.insert(std::move(first));
            }
            all[own.name].add(calls);
        }
    }
    return all;
}

bool RecordReader::has_open_message(const base::ReceiveSpec& spec, Rank receiver) const {
    bool found = false;
    if (spec.source >= 0 && spec.source < static_cast<Rank>(run_.processes())) {
        run_.for_each_open(spec.source, receiver, [&](const Envelope& envelope) {
            found = found || spec.fits(envelope.comm, spec.source, envelope.tag);
        });
    }
    return found;
}

RankSituation RecordReader::situation(const Part& part) {
    return {.rank = part.rank,
            .call = operation_name(part.contribution.operation),
            .detail = {},
            .where = place(part.rank, part.contribution.site),
            .stack = stack_at(part.rank, part.contribution.site)};
}

std::optional<RankSituation> RecordReader::entering(Rank rank, const CollectivePosition& position) {
    const auto contribution = run_.contribution(rank, position.first, position.second);
    return contribution ? std::optional(situation({rank, *contribution})) : std::nullopt;
}

std::optional<RecordReader::Parts> RecordReader::contradicting(const CollectivePosition& position) const {
    std::optional<Part> first;
    for (Rank rank = 0; rank < static_cast<Rank>(run_.processes()); ++rank) {
        const auto contribution = run_.contribution(rank, position.first, position.second);
        if (!contribution) {
            continue;
        }
        if (!first) {
            first = {rank, *contribution};
        } else if (difference(first->rank, first->contribution, rank, *contribution) != Difference::none) {
            return Parts{*first, {rank, *contribution}};
        }
    }
    return std::nullopt;
}

CollectiveMismatch RecordReader::describe(const CollectivePosition& position, const Parts& parts) {
    const auto& [one, other] = parts;
    CollectiveMismatch mismatch;
    mismatch.comm = position.first;
    mismatch.difference = difference(one.rank, one.contribution, other.rank, other.contribution);
    mismatch.violation.kind = replay::ViolationKind::collective_mismatch;
    std::string& message = mismatch.violation.message;
    std::string types;
    if (const auto data = mismatch.difference == Difference::types
                              ? differing_data(one.contribution, other.contribution)
                              : std::nullopt) {
        mismatch.violation.kind = replay::ViolationKind::type_collective;
        const auto found = types_.difference(one.rank, data->first, other.rank, data->second);
        types = " as data of other types" + (found ? " (" + scheduler::text_of(*found) + ")" : "");
    }
    if (mismatch.difference == Difference::arguments) {
        using transport::Collective;
        const auto is = [operation = one.contribution.operation](Collective collective) {
            return operation == transport::operation_number(collective, transport::CollectiveForm::blocking);
        };
        if (!transport::differ_in_shares(one.contribution, other.contribution)) {
            types = ", where arguments differ that must be the same in all ranks";
            types += is(Collective::cart_create)       ? " (ndims, dims, periods or reorder)"
                     : is(Collective::graph_create)    ? " (nnodes, index, edges or reorder)"
                     : is(Collective::comm_split_type) ? " (split_type)"
                     : is(Collective::dist_graph_create) || is(Collective::dist_graph_create_adjacent)
                         ? " (info, reorder, or whether there are weights)"
                         : "";
        } else if (is(Collective::comm_create)) {
            types = ", and one of them is in the group of the other, which is not its own";
        } else if (is(Collective::cart_sub)) {
            types = ", and by its remain_dims one of them is in the subgrid of the other, which is not its own";
        } else {
            types = ", where they do not name the same edges, with the same weights, between each other";
        }
    }
    for (const Part& part : {one, other}) {
        const std::string property = differing_property(mismatch.difference, part.contribution);
        RankSituation found = situation(part);
        message += (message.empty() ? "" : " meets ") + found.call + (property.empty() ? "" : " with ") + property +
                   " in rank " + std::to_string(part.rank);
        found.detail = property.empty() ? "" : "with " + property;
        mismatch.violation.ranks.push_back(part.rank);
        mismatch.violation.situations.push_back(std::move(found));
    }
    message += types + ": both are collective " + std::to_string(position.second) + " (counted from 0) of " +
               communicator_name(position.first);
    if (one.contribution.operation != other.contribution.operation &&
        same_collective(one.contribution.operation, other.contribution.operation)) {
        message += ", and blocking, nonblocking and persistent ones never match";
    }
    return mismatch;
}

std::vector<CollectiveMismatch> RecordReader::collective_mismatches(const std::set<CollectivePosition>& stuck_in) {
    std::vector<CollectiveMismatch> mismatches;
    std::set<replay::CommId> out_of_order;  // after that, nothing on the communicator says anything
    const auto is_persistent = [](const Part& part) {
        return transport::form_of(part.contribution.operation) == transport::CollectiveForm::persistent;
    };
    /// Nobody waits where persistent collectives are made. What is told of that is not told once more of their starts.
    const auto follows = [&](const CollectivePosition& position, const Parts& parts) {
        if (!is_persistent(parts.first) || !is_persistent(parts.second)) {
            return false;
        }
        const CollectiveMismatch start = describe(position, parts);
        const auto& sides = start.violation.situations;
        const auto made = std::find_if(mismatches.begin(), mismatches.end(), [&](const CollectiveMismatch& other) {
            const auto same_call = [](const RankSituation& a, const RankSituation& b) { return a.call == b.call; };
            return other.difference == start.difference &&
                   std::equal(sides.begin(), sides.end(), other.violation.situations.begin(), same_call);
        });
        if (made != mismatches.end()) {
            made->starts.insert(position.first);
        }
        return made != mismatches.end();
    };
    const auto add = [&](const CollectivePosition& position, const Parts& parts) {
        if (out_of_order.contains(position.first)) {
            return;
        }
        CollectiveMismatch found = describe(position, parts);
        if (found.difference == Difference::operation) {
            out_of_order.insert(position.first);
        }
        const auto& sides = found.violation.situations;
        const bool known = std::any_of(mismatches.begin(), mismatches.end(), [&](const CollectiveMismatch& other) {
            const auto same_call = [](const RankSituation& a, const RankSituation& b) {
                return a.rank == b.rank && a.call == b.call && a.where == b.where;
            };
            return std::equal(sides.begin(), sides.end(), other.violation.situations.begin(), same_call);
        });
        if (!known) {
            mismatches.push_back(std::move(found));
        }
    };
    for (const auto& [position, parts] : noticed_) {
        add(position, contradicting(position).value_or(parts));
    }
    for (const auto& [position, parts] : noticed_starts_) {
        if (!follows(position, parts)) {
            add(position, parts);
        }
    }
    for (const CollectivePosition& position : stuck_in) {
        if (const auto parts = contradicting(position); parts && !follows(position, *parts)) {
            add(position, *parts);
        }
    }
    return mismatches;
}

std::vector<replay::UnmatchedOperation> RecordReader::unmatched_operations() {
    struct Receive {
        PostingOrder order;
        base::ReceiveSpec spec;
        std::uint64_t site;
    };
    using Key = std::tuple<Rank, Rank, replay::CommId, base::Tag, std::uint64_t>;  // who, with whom, ..., site
    std::map<Key, std::uint64_t> sends;
    std::map<Key, std::uint64_t> receives;
    const auto ranks = static_cast<Rank>(run_.processes());
    for (Rank rank = 0; rank < ranks; ++rank) {
        std::list<Receive> pending;  // thousands may go, each from anywhere
        const auto posted = run_.posted(rank, std::numeric_limits<std::uint64_t>::max());
        for (const PostedReceive& receive : *posted) {
            const Rank source = receive.forced != base::any_source ? receive.forced : receive.spec.source;
            if (source >= base::any_source && source < ranks) {
                pending.push_back({.order = receive.order,
                                   .spec = {receive.spec.comm, source, receive.spec.tag},
                                   .site = receive.site});
            }
        }
        pending.sort([](const Receive& a, const Receive& b) { return a.order < b.order; });
        for (Rank source = 0; source < ranks; ++source) {
            run_.for_each_open(source, rank, [&](const Envelope& envelope) {
                const auto taker = std::find_if(pending.begin(), pending.end(), [&](const Receive& receive) {
                    return receive.spec.fits(envelope.comm, source, envelope.tag);
                });
                if (taker != pending.end()) {
                    pending.erase(taker);
                } else {
                    ++sends[{source, rank, envelope.comm, envelope.tag, envelope.site}];
                }
            });
        }
        for (const Receive& receive : pending) {
            ++receives[{rank, receive.spec.source, receive.spec.comm, receive.spec.tag, receive.site}];
        }
    }
    std::vector<replay::UnmatchedOperation> unmatched;
    for (const bool send : {true, false}) {
        for (const auto& [key, count] : send ? sends : receives) {
            const auto& [rank, peer, comm, tag, site] = key;
            unmatched.push_back({.send = send,
                                 .rank = rank,
                                 .peer = peer,
                                 .tag = tag,
                                 .communicator = communicator_name(comm),
                                 .count = count,
                                 .where = place(rank, site)});
        }
    }
    return unmatched;
}

std::vector<Violation> RecordReader::uneven_collectives() {
    struct Entered {
        std::uint64_t count = 0;
        std::optional<Contribution> latest;
    };
    std::map<replay::CommId, std::map<Rank, Entered>> by_comm;
    std::set<replay::CommId> disordered;
    for (Rank rank = 0; rank < static_cast<Rank>(run_.processes()); ++rank) {
        for (const CollectiveProgress& progress : run_.collectives(rank)) {
            by_comm[progress.comm][rank] = {progress.entered, progress.latest};
            if (progress.disordered) {
                disordered.insert(progress.comm);
            }
        }
    }
    std::vector<Violation> violations;
    for (auto& [comm, ranks] : by_comm) {
        if (const auto members = members_.find(comm); members != members_.end()) {
            for (const Rank member : members->second) {
                ranks.try_emplace(member);
            }
        }
        const auto by_count = [](const auto& a, const auto& b) { return a.second.count < b.second.count; };
        const auto least = std::min_element(ranks.begin(), ranks.end(), by_count);
        const auto most = std::max_element(ranks.begin(), ranks.end(), by_count);
        if (least->second.count == most->second.count || !most->second.latest || disordered.contains(comm)) {
            continue;
        }
        // The first that the other did not enter, while it is known.
        const Part lonely{most->first,
                          run_.contribution(most->first, comm, least->second.count).value_or(*most->second.latest)};
        const std::string name = communicator_name(comm);
        RankSituation there = situation(lonely);
        RankSituation not_there{.rank = least->first, .call = "MPI_Finalize", .detail = {}, .where = {}};
        if (least->second.latest) {
            not_there = situation({least->first, *least->second.latest});
            not_there.detail = "its last collective on " + name;
        } else {
            not_there.detail = "without any collective on " + name;
        }
        Violation violation;
        violation.kind = replay::ViolationKind::collective_mismatch;
        violation.message = there.call + " in rank " + std::to_string(most->first) + " is not entered by rank " +
                            std::to_string(least->first) + ": they enter " + std::to_string(most->second.count) +
                            " and " + std::to_string(least->second.count) + " collectives of " + name;
        violation.ranks = {std::min(least->first, most->first), std::max(least->first, most->first)};
        violation.situations = {std::move(there), std::move(not_there)};
        violations.push_back(std::move(violation));
    }
    return violations;
}

}  // namespace dampi::scheduler
