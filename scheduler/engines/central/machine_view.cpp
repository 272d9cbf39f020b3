#include "scheduler/engines/central/machine_view.hpp"

#include "transport/collective_mismatch.hpp"

#include <algorithm>
#include <utility>

namespace dampi::scheduler::central {
namespace {

using namespace transport;

std::optional<Contradiction> contradiction(const Machine& machine, CommId comm, std::uint64_t sequence) {
    const std::vector<CollectivePart> parts = machine.parts(comm, sequence);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t k = i + 1; k < parts.size(); ++k) {
            if (difference(parts[i].rank, parts[i].contribution, parts[k].rank, parts[k].contribution) !=
                Difference::none) {
                return Contradiction{.comm = comm, .sequence = sequence, .first = parts[i], .second = parts[k]};
            }
        }
    }
    return std::nullopt;
}

}  // namespace

MachineView::MachineView(const Machine& machine, const RunView& ranks) : ranks_(ranks), posted_(ranks.processes()) {
    for (const OpenMessage& message : machine.open_messages()) {
        open_[{message.source, message.destination}].push_back({.comm = message.comm,
                                                                .tag = message.tag,
                                                                .number = message.number,
                                                                .clock = 0,
                                                                .site = message.site,
                                                                .synchronous = message.waited_for,
                                                                .data = message.data});
    }
    for (const OpenReceive& receive : machine.open_receives()) {
        posted_[static_cast<std::size_t>(receive.rank)].push_back(
            {.spec = receive.spec, .order = receive.order, .site = receive.site, .forced = receive.forced});
    }
    add_collectives(machine);
}

void MachineView::add_collectives(const Machine& machine) {
    for (const NoticedMismatch& mismatch : machine.mismatches()) {
        for (const CollectivePart& part : machine.parts(mismatch.comm, mismatch.sequence)) {
            contributions_[{part.rank, mismatch.comm}][mismatch.sequence] = part.contribution;
        }
    }
    const std::vector<CollectiveCount> counts = machine.collective_counts();
    std::map<CommId, std::pair<std::uint64_t, std::uint64_t>> range;
    for (const CollectiveCount& count : counts) {
        const auto [found, is_new] = range.try_emplace(count.comm, count.entered, count.entered);
        found->second.first = std::min(found->second.first, count.entered);
        found->second.second = std::max(found->second.second, count.entered);
    }
    for (const auto& [comm, least_and_most] : range) {
        if (least_and_most.first == least_and_most.second) {
            continue;
        }
        for (const CollectivePart& part : machine.parts(comm, least_and_most.first)) {
            contributions_[{part.rank, comm}][least_and_most.first] = part.contribution;
        }
    }
    for (const CollectiveCount& count : counts) {
        if (count.latest && range[count.comm].first != range[count.comm].second) {
            contributions_[{count.rank, count.comm}][count.entered - 1] = *count.latest;
        }
    }
}

void MachineView::for_each_open(Rank source, Rank destination,
                                const std::function<void(const Envelope&)>& visit) const {
    const auto found = open_.find({source, destination});
    if (found != open_.end()) {
        std::for_each(found->second.begin(), found->second.end(), visit);
    }
}

std::optional<std::vector<PostedReceive>> MachineView::posted(Rank rank, std::uint64_t most) const {
    const std::vector<PostedReceive>& receives = posted_[static_cast<std::size_t>(rank)];
    return receives.size() > most ? std::nullopt : std::optional(receives);
}

std::vector<CollectiveProgress> MachineView::collectives(Rank rank) const {
    std::vector<CollectiveProgress> all;
    for (auto i = contributions_.lower_bound({rank, 0}); i != contributions_.end() && i->first.first == rank; ++i) {
        const auto& [sequence, latest] = *i->second.rbegin();
        all.push_back({.comm = i->first.second, .entered = sequence + 1, .latest = latest});
    }
    return all;
}

std::optional<Contribution> MachineView::contribution(Rank rank, CommId comm, std::uint64_t sequence) const {
    const auto known = contributions_.find({rank, comm});
    if (known == contributions_.end()) {
        return std::nullopt;
    }
    const auto found = known->second.find(sequence);
    return found == known->second.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Contradiction> contradictions(const Machine& machine) {
    std::vector<Contradiction> all;
    for (const NoticedMismatch& mismatch : machine.mismatches()) {
        if (mismatch.shares) {
            auto [first, second] = *mismatch.shares;
            if (second.rank < first.rank) {
                std::swap(first, second);
            }
            all.push_back({.comm = mismatch.comm, .sequence = mismatch.sequence, .first = first, .second = second});
        } else if (auto found = contradiction(machine, mismatch.comm, mismatch.sequence)) {
            all.push_back(*std::move(found));
            all.back().of_starts = mismatch.of_starts;
        }
    }
    return all;
}

}  // namespace dampi::scheduler::central
