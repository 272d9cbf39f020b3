#include "scheduler/judgement/unreceived_messages.hpp"

#include "transport/unreceived.hpp"

#include <limits>
#include <map>
#include <string>
#include <tuple>

namespace dampi::scheduler {
namespace {

using base::Rank;
using replay::RankSituation;
using replay::Violation;
using transport::Envelope;

Violation violation_of(RecordReader& reader, Rank source, Rank destination, const std::vector<Envelope>& messages) {
    const Envelope& first = messages.front();
    const bool one = messages.size() == 1;
    const std::string which = (one ? "a message" : std::to_string(messages.size()) + " messages") + " from rank " +
                              std::to_string(source) + " to rank " + std::to_string(destination) + " with tag " +
                              std::to_string(first.tag) + (one ? "" : " (the first)") + " on " +
                              reader.communicator_name(first.comm);
    Violation violation;
    if (first.synchronous) {
        violation.kind = replay::ViolationKind::deadlock;
        violation.message = "rank " + std::to_string(source) + " can never leave MPI_Finalize: " + which +
                            (one ? " waits" : " wait") + " for a receive, and all ranks have called MPI_Finalize";
    } else {
        violation.kind = replay::ViolationKind::leak_message;
        violation.message = which + (one ? " was" : " were") + " never received";
    }
    violation.ranks = {source};
    violation.situations = {RankSituation{.rank = source,
                                          .call = "message sent",
                                          .detail = "to rank " + std::to_string(destination),
                                          .where = reader.place(source, first.site),
                                          .stack = reader.stack_at(source, first.site)}};
    return violation;
}

std::vector<transport::Unreceived> unreceived_by(const transport::RunView& run, Rank destination) {
    return transport::unreceived(run.processes(), *run.posted(destination, std::numeric_limits<std::uint64_t>::max()),
                                 [&](Rank source, const std::function<void(const Envelope&)>& visit) {
                                     run.for_each_open(source, destination, visit);
                                 });
}

}  // namespace

std::vector<Violation> unreceived_messages(RecordReader& reader) {
    const transport::RunView& run = reader.run();
    std::vector<Violation> violations;
    for (Rank destination = 0; destination < static_cast<Rank>(run.processes()); ++destination) {
        std::map<std::tuple<Rank, std::uint64_t, bool>, std::vector<Envelope>> by_call;
        for (const auto& [source, envelope] : unreceived_by(run, destination)) {
            by_call[{source, envelope.site, envelope.synchronous}].push_back(envelope);
        }
        for (const auto& [call, messages] : by_call) {
            violations.push_back(violation_of(reader, std::get<Rank>(call), destination, messages));
        }
    }
    return violations;
}

}  // namespace dampi::scheduler
