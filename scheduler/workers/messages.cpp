#include "scheduler/workers/messages.hpp"

#include "base/check.hpp"
#include "replay/serialization.hpp"

#include <algorithm>
#include <utility>

namespace dampi::replay {

template <>
struct LastValue<scheduler::workers::Purpose> {
    static constexpr auto value = scheduler::workers::last_purpose;
};
template <>
struct LastValue<scheduler::workers::Result::Ending> {
    static constexpr auto value = scheduler::workers::last_ending;
};

}  // namespace dampi::replay

namespace boost::serialization {

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::workers::Hello& hello, unsigned /*version*/) {
    auto& [build, host, process] = hello;
    dampi::replay::members(archive, build, host, process);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::workers::Lease& lease, unsigned /*version*/) {
    auto& [id, purpose, interleaving] = lease;
    dampi::replay::members(archive, id, purpose, interleaving);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::workers::Result& result, unsigned /*version*/) {
    auto& [lease, ending, why, record, printed, printed_errors, launching] = result;
    dampi::replay::members(archive, lease, ending, why, record, printed, printed_errors, launching);
}

}  // namespace boost::serialization

namespace dampi::scheduler::workers {
namespace {

std::string begin_message(Kind kind) { return transport::network::begin_frame(static_cast<std::uint8_t>(kind)); }

std::string end_message(std::string message) {
    auto frame = transport::network::end_frame(std::move(message));
    if (!frame) {
        throw Error(
            "what a run shows is larger than a message between dampi-run and a worker can be: make the "
            "program's problem smaller");
    }
    return std::move(*frame);
}

template <typename Value>
std::string encode_value(Kind kind, const Value& value) {
    std::string message = begin_message(kind);
    replay::append_bytes(message, value);
    return end_message(std::move(message));
}

}  // namespace

std::string encode(const Hello& hello) { return encode_value(Kind::hello, hello); }
std::string encode(const Result& result) { return encode_value(Kind::result, result); }
std::string encode_recall(std::uint64_t lease) { return encode_value(Kind::recall, lease); }
std::string encode_ready(std::uint32_t slots) { return encode_value(Kind::ready, slots); }

std::string encode(const std::vector<LeaseOf>& leases) {
    std::string message = begin_message(Kind::leases);
    replay::append_bytes(message, static_cast<std::uint64_t>(leases.size()));
    for (const LeaseOf& lease : leases) {
        replay::append_bytes(message, lease.id);
        replay::append_bytes(message, lease.purpose);
        replay::append_bytes(message, *lease.interleaving);
    }
    return end_message(std::move(message));
}

std::string encode(Kind kind, std::string_view text) {
    std::string message = begin_message(kind);
    message += text;
    return end_message(std::move(message));
}

Hello decode_hello(std::string_view bytes) { return replay::from_bytes<Hello>(bytes); }
std::vector<Lease> decode_leases(std::string_view bytes) { return replay::from_bytes<std::vector<Lease>>(bytes); }
Result decode_result(std::string_view bytes) { return replay::from_bytes<Result>(bytes); }
std::uint64_t decode_recall(std::string_view bytes) { return replay::from_bytes<std::uint64_t>(bytes); }
std::uint32_t decode_ready(std::string_view bytes) { return replay::from_bytes<std::uint32_t>(bytes); }

bool is_plausible(const replay::RunRecord& record, int processes) {
    const auto is_rank = [&](replay::Rank rank) { return rank >= 0 && rank < processes; };
    const auto is_source = [&](replay::Rank rank) { return rank == base::any_source || is_rank(rank); };
    const auto are_sources = [&](const std::vector<replay::PotentialMatch>& matches) {
        return std::all_of(matches.begin(), matches.end(), [&](const auto& match) { return is_rank(match.source); });
    };
    if (record.merged || !record.meetings.empty()) {
        return false;  // states of runs are not compared between workers
    }
    const replay::Epoch* before = nullptr;
    for (const replay::Epoch& epoch : record.epochs) {
        if (!is_rank(epoch.id.rank) || (before != nullptr && !(before->id < epoch.id)) ||
            (epoch.outcome && !is_source(epoch.outcome->source)) || !are_sources(epoch.potential_matches) ||
            (epoch.context.stack != replay::EpochContext::no_stack && epoch.context.stack >= record.stacks.size())) {
            return false;
        }
        for (const replay::OtherPoll& other : epoch.others) {
            if (!are_sources(other.potential_matches)) {
                return false;
            }
        }
        before = &epoch;
    }
    const auto may_be = [&](const replay::Violation& violation) {
        return std::all_of(violation.ranks.begin(), violation.ranks.end(), is_rank);
    };
    return std::all_of(record.violations.begin(), record.violations.end(), may_be) &&
           std::all_of(record.notes.begin(), record.notes.end(), may_be) &&
           std::all_of(record.foreseen.begin(), record.foreseen.end(),
                       [&](const replay::ForeseenViolation& each) {
                           return may_be(each.violation) && is_rank(each.epoch.rank) && is_source(each.outcome.source);
                       }) &&
           std::all_of(record.omitted.begin(), record.omitted.end(),
                       [&](const auto& each) { return is_rank(each.first); });
}

}  // namespace dampi::scheduler::workers
