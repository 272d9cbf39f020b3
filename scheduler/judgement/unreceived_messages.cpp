#include "scheduler/judgement/unreceived_messages.hpp"

#include "transport/memory/area.hpp"
#include "transport/memory/unreceived.hpp"

#include <map>
#include <string>
#include <tuple>

namespace dampi::scheduler {
namespace {

using base::Rank;
using replay::RankSituation;
using replay::Violation;
using transport::Envelope;
using transport::memory::Area;

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
    violation.situations = {RankSituation{source, "message sent", "to rank " + std::to_string(destination),
                                          reader.place(source, first.site)}};
    return violation;
}

}  // namespace

std::vector<Violation> unreceived_messages(RecordReader& reader) {
    const Area& area = reader.area();
    std::vector<Violation> violations;
    for (Rank destination = 0; destination < static_cast<Rank>(area.processes()); ++destination) {
        std::map<std::tuple<Rank, std::uint64_t, bool>, std::vector<Envelope>> by_call;
        for (const auto& [source, envelope] : transport::memory::unreceived(area, destination)) {
            by_call[{source, envelope.site, envelope.synchronous}].push_back(envelope);
        }
        for (const auto& [call, messages] : by_call) {
            violations.push_back(violation_of(reader, std::get<Rank>(call), destination, messages));
        }
    }
    return violations;
}

}  // namespace dampi::scheduler
