#include "scheduler/engines/central/machine.hpp"

#include <algorithm>
#include <numeric>

namespace dampi::scheduler::central {
namespace {

using namespace transport::requests;

}  // namespace

Machine::Machine(const MachineSettings& settings, Decisions decisions)
    : settings_(settings), decisions_(std::move(decisions)), random_state_(settings.free_seed) {
    plan_chance();
    Group& world = groups_[base::world_comm];
    for (Rank rank = 0; rank < settings.processes; ++rank) {
        processes_.emplace_back(rank, settings, decisions_);
        world.members.push_back(rank);
        world.index[rank] = static_cast<std::size_t>(rank);
        Group& self = groups_[base::world_comm + 1 + static_cast<CommId>(rank)];
        self.members = {rank};
        self.index[rank] = 0;
        self.count.resize(1);
        self.latest.resize(1);
    }
    world.count.resize(world.members.size());
    world.latest.resize(world.members.size());
}

void Machine::plan_chance() {
    const auto numbers = [this] { return random(); };
    delays_ = settings_.delays && settings_.free_seed != 0 ? Delays(numbers) : Delays();
    preferences_ = settings_.free_seed != 0 ? Preferences(numbers) : Preferences();
}

bool Machine::may_call(Rank rank) const {
    const Process& own = process(rank);
    return !own.ended && !own.finalized && own.fence.index() == 0 && own.tried.index() == 0;
}

bool Machine::waits(Rank rank) const { return process(rank).fence.index() != 0; }

const std::string& Machine::communicator_name(const Process& own, CommId comm) const {
    static const std::string world = "MPI_COMM_WORLD";
    static const std::string none;
    const auto found = own.communicator_names.find(comm);
    return found != own.communicator_names.end() ? found->second : comm == base::world_comm ? world : none;
}

Machine::Group* Machine::group(CommId comm) {
    const auto found = groups_.find(comm);
    return found == groups_.end() ? nullptr : &found->second;
}

bool Machine::in(CommId comm, Rank rank) const {
    const auto found = groups_.find(comm);
    return found != groups_.end() && found->second.index.contains(rank);
}

const std::vector<Rank>* Machine::members(CommId comm) const {
    const auto found = groups_.find(comm);
    return found == groups_.end() ? nullptr : &found->second.members;
}

std::vector<Rank> Machine::everyone(CommId comm) const {
    std::vector<Rank> all;
    if (const auto found = groups_.find(comm); found != groups_.end()) {
        all = found->second.members;
        all.insert(all.end(), found->second.remote.begin(), found->second.remote.end());
        std::sort(all.begin(), all.end());
    }
    return all;
}

bool Machine::alone(CommId comm) const {
    const auto found = groups_.find(comm);
    return found != groups_.end() && found->second.size() == 1;
}

int Machine::peer_rank(CommId comm, Rank from, Rank peer) const {
    const auto found = groups_.find(comm);
    if (found == groups_.end()) {
        return base::any_source;
    }
    const Group& group = found->second;
    const auto is_member = [&](const std::vector<Rank>& ranks, Rank rank) {
        return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
    };
    const std::vector<Rank>& peers = group.inter && is_member(group.members, from) ? group.remote : group.members;
    const auto place = std::find(peers.begin(), peers.end(), peer);
    return place == peers.end() ? base::any_source : static_cast<int>(place - peers.begin());
}

Machine::Posting* Machine::add(Rank rank, Operation operation, Posting::Kind kind) {
    const auto [added, is_new] = process(rank).postings.try_emplace(operation);
    if (operation == no_operation || !is_new) {
        return nullptr;
    }
    added->second.kind = kind;
    return &added->second;
}

Machine::Posting* Machine::find(Process& own, Operation operation) {
    const auto found = own.postings.find(operation);
    return found == own.postings.end() ? nullptr : &found->second;
}

Machine::MessageIndex Machine::add_message(Message message) {
    if (free_messages_.empty()) {
        messages_.push_back(std::move(message));
        return static_cast<MessageIndex>(messages_.size() - 1);
    }
    const MessageIndex index = free_messages_.back();
    free_messages_.pop_back();
    messages_[index] = std::move(message);
    return index;
}

void Machine::release_message(MessageIndex index) {
    if (--messages_[index].references == 0) {
        messages_[index] = {};
        free_messages_.push_back(index);
    }
}

bool Machine::take(Rank rank, const CommunicatorCall& call) {
    if (!may_call(rank) || call.members.empty() || (call.inter != 0) == call.remote.empty()) {
        return false;
    }
    const auto [known, is_new] = groups_.try_emplace(call.comm);
    Group& made = known->second;
    if (!is_new) {
        return made.index.contains(rank);
    }
    made.inter = call.inter != 0;
    made.members = call.members;
    made.remote = call.remote;
    bool sound = true;
    for (std::size_t i = 0; i < made.size(); ++i) {
        sound = sound && is_rank(made.rank(i)) && made.index.emplace(made.rank(i), i).second;
    }
    if (!sound || !made.index.contains(rank)) {
        groups_.erase(known);
        return false;
    }
    made.count.resize(made.size());
    made.latest.resize(made.size());
    return true;
}

/// Whether something on the communicator is not over.
bool Machine::in_use(CommId comm) const {
    const Group& meeting = groups_.at(comm);
    if (!meeting.rounds.empty() || !meeting.kept.empty()) {
        return true;
    }
    const auto concerns = [&](const Posting& posting) {
        switch (posting.kind) {
            case Posting::Kind::receive:
                return posting.receive.posted.spec.comm == comm;
            case Posting::Kind::send:
            case Posting::Kind::matched_receive:
                return messages_[posting.message].comm == comm;
            case Posting::Kind::collective:
                return posting.comm == comm;
            case Posting::Kind::immediate:
            case Posting::Kind::pair:
                break;
        }
        return false;
    };
    return std::any_of(processes_.begin(), processes_.end(), [&](const Process& own) {
        const auto first = own.unexpected.lower_bound({comm, 0});
        return (first != own.unexpected.end() && first->first.first == comm) ||
               std::any_of(own.matched.begin(), own.matched.end(),
                           [&](const auto& each) { return messages_[each.second.message].comm == comm; }) ||
               std::any_of(own.postings.begin(), own.postings.end(),
                           [&](const auto& each) { return concerns(each.second); });
    });
}

void Machine::forget(CommId comm) {
    groups_.erase(comm);
    for (Process& own : processes_) {
        own.sent.erase(own.sent.lower_bound({comm, 0}), own.sent.lower_bound({comm + 1, 0}));
        own.communicator_names.erase(comm);
    }
}

bool Machine::take(Rank rank, const CommunicatorFreedCall& call) {
    Group* freed = group(call.comm);
    const bool predefined =
        call.comm >= base::world_comm && call.comm <= base::world_comm + static_cast<CommId>(settings_.processes);
    const bool in_finalize = process(rank).finalized && !process(rank).ended;  // in a callback of the program's
    if ((!may_call(rank) && !in_finalize) || predefined || (freed != nullptr && !freed->index.contains(rank))) {
        return false;
    }
    if (freed == nullptr) {
        return true;  // never used
    }
    freed->freed.resize(freed->size());
    freed->freed[freed->index.at(rank)] = true;
    // Whoever wants to know the calls at the end of the run asks for their communicators then.
    if (!settings_.list_matches && std::find(freed->freed.begin(), freed->freed.end(), false) == freed->freed.end() &&
        !in_use(call.comm)) {
        forget(call.comm);
    }
    return true;
}

bool Machine::take(Rank rank, const CommunicatorNameCall& call) {
    process(rank).communicator_names[call.comm] = call.name;
    return may_call(rank);
}

}  // namespace dampi::scheduler::central
