// Computing ids and names, and telling dampi-run of them.
#include "piggyback/rank/communicators/identity.hpp"

#include "piggyback/rank/collectives/flow.hpp"
#include "piggyback/rank/communicators/names.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace dampi::piggyback {
namespace {

constexpr std::size_t longest_name = 160;

base::Rank lowest_rank(const Communicator& communicator) {
    return std::min(*std::min_element(communicator.members.begin(), communicator.members.end()),
                    *std::min_element(communicator.peers.begin(), communicator.peers.end()));
}

}  // namespace

std::string members_text(const Communicator& communicator, std::size_t ranks_before) {
    constexpr std::size_t shown = 8;
    if (all_ranks(communicator) >= ranks_before) {
        return "";
    }
    std::string text = communicator.members.size() == 1 ? ", rank" : ", ranks";
    for (std::size_t i = 0; i < communicator.members.size() && i < shown; ++i) {
        text += " " + std::to_string(communicator.members[i]);
    }
    return text + (communicator.members.size() > shown ? " ..." : "");
}

void log_members(Layer& layer, const Communicator& communicator) {
    if (lowest_rank(communicator) != layer.rank()) {
        return;
    }
    std::vector<base::Rank> ranks = communicator.members;
    if (communicator.inter) {
        ranks.insert(ranks.end(), communicator.peers.begin(), communicator.peers.end());
    }
    std::sort(ranks.begin(), ranks.end());
    transport::CommunicatorMembersRecord record{.comm = communicator.id, .ranges = {}};
    for (std::size_t first = 0; first < ranks.size();) {
        std::size_t next = first + 1;
        const base::Rank step = next < ranks.size() ? ranks[next] - ranks[first] : 1;
        while (next < ranks.size() && ranks[next] - ranks[next - 1] == step) {
            ++next;
        }
        for (const auto value :
             {static_cast<std::size_t>(ranks[first]), next - first, static_cast<std::size_t>(step)}) {
            record.ranges.push_back(static_cast<std::uint32_t>(value));
        }
        first = next;
    }
    layer.log.append(record);
}

void baptise(Layer& layer, const Call& call, const Communicator& parent, std::uint64_t number, Communicator& made) {
    made.id = IdHash().add(parent.id).add(number).add(static_cast<std::uint64_t>(lowest_rank(made))).id();
    give_name(layer, made,
              std::string(call.function()) + " of " + parent.name + " #" + std::to_string(number) +
                  members_text(made, all_ranks(parent)));
    log_members(layer, made);
}

Communicator stand_in(base::CommId id, std::vector<base::Rank> members, base::Rank own) {
    Communicator communicator;
    communicator.id = id;
    communicator.rank = static_cast<int>(std::find(members.begin(), members.end(), own) - members.begin());
    communicator.members = std::move(members);
    communicator.peers = communicator.members;
    return communicator;
}

void baptise(Layer& layer, const Call& call, base::CommId local, base::CommId remote, int tag, Communicator& made) {
    const auto& lower = std::min(made.members, made.peers);
    const auto& higher = std::max(made.members, made.peers);
    const std::uint64_t key = IdHash()
                                  .add(lower)
                                  .add(higher)
                                  .add(std::min(local, remote))
                                  .add(std::max(local, remote))
                                  .add(static_cast<std::uint64_t>(tag))
                                  .value();
    made.id = IdHash().add(key).add(layer.communicators.next_use(key)).id();
    give_name(layer, made,
              std::string(call.function()) + " of ranks " + std::to_string(lower.front()) + "... and " +
                  std::to_string(higher.front()) + "...");
    log_members(layer, made);
}

std::shared_ptr<Communicator> stand_apart(Layer& layer, const Communicator& communicator, const char* function,
                                          std::uint64_t number) {
    auto apart = std::make_shared<Communicator>();
    apart->apart = true;
    apart->id = IdHash().add(communicator.id).add(number).id();
    apart->inter = communicator.inter;
    apart->rank = communicator.rank;
    apart->members = communicator.members;
    apart->peers = communicator.peers;
    give_name(layer, *apart,
              std::string(function) + " (collective " + std::to_string(number) + ") of " + communicator.name);
    log_members(layer, *apart);
    return apart;
}

void give_name(Layer& layer, Communicator& communicator, std::string name) {
    if (name.size() > longest_name) {
        name.resize(longest_name - 3);
        name += "...";
    }
    communicator.name = std::move(name);
    layer.log.append(transport::CommunicatorNameRecord{.comm = communicator.id, .name = communicator.name});
}

int set_name(Layer& layer, MPI_Comm comm, const char* name) noexcept {
    const int result = PMPI_Comm_set_name(comm, name);
    Communicator* communicator = layer.communicators.find(comm);
    if (result == MPI_SUCCESS && communicator != nullptr) {
        give_name(layer, *communicator, name);
        char kept[MPI_MAX_OBJECT_NAME] = "";  // MPI may have cut it off
        int length = 0;
        PMPI_Comm_get_name(comm, kept, &length);
        communicator->given_name.assign(kept, static_cast<std::size_t>(length));
    }
    return result;
}

}  // namespace dampi::piggyback
