// The functions that make and ask groups, with the centralized engine.

#include "piggyback/central/errors.hpp"
#include "piggyback/central/rank_side.hpp"
#include "piggyback/interception/central_calls.hpp"
#include "piggyback/rank/resources/following.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace dampi::piggyback::central {
namespace {

using Members = Groups::Members;

bool contains(const Members& members, base::Rank rank) {
    return std::find(members.begin(), members.end(), rank) != members.end();
}

/// Null after an error, which has been delivered to `code`.
const Members* members_of(const Call& call, MPI_Group group, int& code) {
    const Members* members = RankSide::current()->groups.find(group);
    if (members == nullptr) {
        code = raise(call, MPI_COMM_NULL, group == MPI_GROUP_NULL ? Wrong::no_group : Wrong::group);
    }
    return members;
}

int make(const Call& call, Members members, MPI_Group* group) {
    *group = RankSide::current()->groups.make(std::move(members));
    return made(ResourceKind::group, call, MPI_SUCCESS, group);
}

/// A group made of the members of two: `keep(first, second)`.
template <typename Combine>
int combine(const Call& call, MPI_Group one, MPI_Group other, MPI_Group* result, Combine&& combine) {
    int code = MPI_SUCCESS;
    const Members* first = members_of(call, one, code);
    const Members* second = first == nullptr ? nullptr : members_of(call, other, code);
    if (second == nullptr) {
        return code;
    }
    return make(call, combine(*first, *second), result);
}

/// The ranks that triplets (first, last, stride) name; nothing where one makes no sense.
std::optional<std::vector<int>> in_ranges(int number, int ranges[][3]) {
    std::vector<int> ranks;
    for (int i = 0; i < number; ++i) {
        const int* range = ranges[i];
        if (range[2] == 0) {
            return std::nullopt;
        }
        for (int rank = range[0]; range[2] > 0 ? rank <= range[1] : rank >= range[1]; rank += range[2]) {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

/// Whether the ranks are of the group, and each there once; MPI's code if not.
int check_ranks(const Call& call, const Members& members, const std::vector<int>& ranks) {
    std::vector<int> seen(members.size(), -1);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i] < 0 || static_cast<std::size_t>(ranks[i]) >= members.size()) {
            return code_of(call, Wrong::rank_of_group, static_cast<int>(i), ranks[i],
                           static_cast<int>(members.size()) - 1);
        }
        int& before = seen[static_cast<std::size_t>(ranks[i])];
        if (before >= 0) {
            return code_of(call, Wrong::repeated_rank, ranks[i], static_cast<int>(i), before);
        }
        before = static_cast<int>(i);
    }
    return MPI_SUCCESS;
}

enum class Choice { these, others };

int choose(const Call& call, MPI_Group group, const std::vector<int>& ranks, Choice choice, MPI_Group* result) {
    int code = MPI_SUCCESS;
    const Members* members = members_of(call, group, code);
    if (members == nullptr) {
        return code;
    }
    if (code = check_ranks(call, *members, ranks); code != MPI_SUCCESS) {
        return deliver(call, MPI_COMM_NULL, code);
    }
    Members chosen;
    if (choice == Choice::these) {
        for (const int rank : ranks) {
            chosen.push_back((*members)[static_cast<std::size_t>(rank)]);
        }
    } else {
        for (std::size_t rank = 0; rank < members->size(); ++rank) {
            if (std::find(ranks.begin(), ranks.end(), static_cast<int>(rank)) == ranks.end()) {
                chosen.push_back((*members)[rank]);
            }
        }
    }
    return make(call, std::move(chosen), result);
}

int choose(const Call& call, MPI_Group group, int number, const int* ranks, Choice choice, MPI_Group* result) {
    if (number < 0 || (number > 0 && ranks == nullptr)) {
        return raise(call, MPI_COMM_NULL, Wrong::argument);
    }
    return choose(call, group, std::vector<int>(ranks, ranks + number), choice, result);
}

int choose(const Call& call, MPI_Group group, int number, int ranges[][3], Choice choice, MPI_Group* result) {
    if (number < 0 || (number > 0 && ranges == nullptr)) {
        return raise(call, MPI_COMM_NULL, Wrong::argument);
    }
    const auto ranks = in_ranges(number, ranges);
    return ranks ? choose(call, group, *ranks, choice, result) : raise(call, MPI_COMM_NULL, Wrong::argument);
}

int compare(const Members& one, const Members& other) {
    if (one == other) {
        return MPI_IDENT;
    }
    return one.size() == other.size() && std::is_permutation(one.begin(), one.end(), other.begin()) ? MPI_SIMILAR
                                                                                                    : MPI_UNEQUAL;
}

/// As MPI_Comm_rank, MPI_Comm_size and the like: MPI says what is wrong with the communicator.
template <typename Native>
Communicator* communicator_of(MPI_Comm comm, int& code, Native&& native) {
    Communicator* communicator = Layer::current()->communicators.find(comm);
    if (communicator == nullptr) {
        code = native();
    }
    return communicator;
}

}  // namespace
}  // namespace dampi::piggyback::central

namespace dampi::piggyback::central::calls {

int comm_group(Call& call, MPI_Comm comm, MPI_Group* group) noexcept {
    int code = MPI_SUCCESS;
    const Communicator* communicator = communicator_of(comm, code, [&] { return PMPI_Comm_group(comm, group); });
    return communicator == nullptr ? code : make(call, communicator->members, group);
}

int comm_remote_group(Call& call, MPI_Comm comm, MPI_Group* group) noexcept {
    int code = MPI_SUCCESS;
    const Communicator* communicator = communicator_of(comm, code, [&] { return PMPI_Comm_remote_group(comm, group); });
    if (communicator == nullptr || !communicator->inter) {
        return communicator == nullptr ? code : PMPI_Comm_remote_group(comm, group);
    }
    return make(call, communicator->peers, group);
}

int group_union(Call& call, MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) noexcept {
    return combine(call, group1, group2, newgroup, [](const Members& one, const Members& other) {
        Members all = one;
        std::copy_if(other.begin(), other.end(), std::back_inserter(all),
                     [&](base::Rank rank) { return !contains(one, rank); });
        return all;
    });
}

int group_intersection(Call& call, MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) noexcept {
    return combine(call, group1, group2, newgroup, [](const Members& one, const Members& other) {
        Members both;
        std::copy_if(one.begin(), one.end(), std::back_inserter(both),
                     [&](base::Rank rank) { return contains(other, rank); });
        return both;
    });
}

int group_difference(Call& call, MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) noexcept {
    return combine(call, group1, group2, newgroup, [](const Members& one, const Members& other) {
        Members rest;
        std::copy_if(one.begin(), one.end(), std::back_inserter(rest),
                     [&](base::Rank rank) { return !contains(other, rank); });
        return rest;
    });
}

int group_incl(Call& call, MPI_Group group, int n, const int ranks[], MPI_Group* newgroup) noexcept {
    return choose(call, group, n, ranks, Choice::these, newgroup);
}

int group_excl(Call& call, MPI_Group group, int n, const int ranks[], MPI_Group* newgroup) noexcept {
    return choose(call, group, n, ranks, Choice::others, newgroup);
}

int group_range_incl(Call& call, MPI_Group group, int n, int ranges[][3], MPI_Group* newgroup) noexcept {
    return choose(call, group, n, ranges, Choice::these, newgroup);
}

int group_range_excl(Call& call, MPI_Group group, int n, int ranges[][3], MPI_Group* newgroup) noexcept {
    return choose(call, group, n, ranges, Choice::others, newgroup);
}

int group_free(Call& call, MPI_Group* group) noexcept {
    int code = MPI_SUCCESS;
    if (members_of(call, *group, code) == nullptr) {
        return code;
    }
    return freed(ResourceKind::group, group, [&] {
        RankSide::current()->groups.remove(*group);
        *group = MPI_GROUP_NULL;
        return MPI_SUCCESS;
    });
}

int group_rank(Call& call, MPI_Group group, int* rank) noexcept {
    int code = MPI_SUCCESS;
    if (const Members* members = members_of(call, group, code)) {
        const auto own = std::find(members->begin(), members->end(), Layer::current()->rank());
        *rank = own == members->end() ? MPI_UNDEFINED : static_cast<int>(own - members->begin());
    }
    return code;
}

int group_size(Call& call, MPI_Group group, int* size) noexcept {
    int code = MPI_SUCCESS;
    if (const Members* members = members_of(call, group, code)) {
        *size = static_cast<int>(members->size());
    }
    return code;
}

int group_compare(Call& call, MPI_Group group1, MPI_Group group2, int* result) noexcept {
    int code = MPI_SUCCESS;
    const Members* one = members_of(call, group1, code);
    const Members* other = one == nullptr ? nullptr : members_of(call, group2, code);
    if (other != nullptr) {
        *result = compare(*one, *other);
    }
    return code;
}

int group_translate_ranks(Call& call, MPI_Group group1, int n, const int ranks1[], MPI_Group group2,
                          int ranks2[]) noexcept {
    int code = MPI_SUCCESS;
    const Members* from = members_of(call, group1, code);
    const Members* to = from == nullptr ? nullptr : members_of(call, group2, code);
    if (to == nullptr) {
        return code;
    }
    if (n < 0) {
        return raise(call, MPI_COMM_NULL, Wrong::argument);
    }
    for (int i = 0; i < n; ++i) {
        if (ranks1[i] == MPI_PROC_NULL) {
            ranks2[i] = MPI_PROC_NULL;
            continue;
        }
        if (ranks1[i] < 0 || static_cast<std::size_t>(ranks1[i]) >= from->size()) {
            return raise(call, MPI_COMM_NULL, Wrong::rank, ranks1[i], static_cast<int>(from->size()));
        }
        const auto found = std::find(to->begin(), to->end(), (*from)[static_cast<std::size_t>(ranks1[i])]);
        ranks2[i] = found == to->end() ? MPI_UNDEFINED : static_cast<int>(found - to->begin());
    }
    return MPI_SUCCESS;
}

int comm_rank(Call& /*call*/, MPI_Comm comm, int* rank) noexcept {
    int code = MPI_SUCCESS;
    if (const Communicator* communicator = communicator_of(comm, code, [&] { return PMPI_Comm_rank(comm, rank); })) {
        *rank = communicator->rank;
    }
    return code;
}

int comm_size(Call& /*call*/, MPI_Comm comm, int* size) noexcept {
    int code = MPI_SUCCESS;
    if (const Communicator* communicator = communicator_of(comm, code, [&] { return PMPI_Comm_size(comm, size); })) {
        *size = static_cast<int>(communicator->members.size());
    }
    return code;
}

int comm_remote_size(Call& /*call*/, MPI_Comm comm, int* size) noexcept {
    const Communicator* communicator = Layer::current()->communicators.find(comm);
    if (communicator == nullptr || !communicator->inter) {
        return PMPI_Comm_remote_size(comm, size);  // MPI refuses
    }
    *size = static_cast<int>(communicator->peers.size());
    return MPI_SUCCESS;
}

int comm_test_inter(Call& /*call*/, MPI_Comm comm, int* flag) noexcept {
    int code = MPI_SUCCESS;
    if (const Communicator* communicator =
            communicator_of(comm, code, [&] { return PMPI_Comm_test_inter(comm, flag); })) {
        *flag = communicator->inter ? 1 : 0;
    }
    return code;
}

int comm_compare(Call& /*call*/, MPI_Comm comm1, MPI_Comm comm2, int* result) noexcept {
    const Communicator* one = Layer::current()->communicators.find(comm1);
    const Communicator* other = Layer::current()->communicators.find(comm2);
    if (one == nullptr || other == nullptr) {
        return PMPI_Comm_compare(comm1, comm2, result);  // MPI refuses
    }
    if (one == other) {
        *result = MPI_IDENT;
    } else if (one->inter != other->inter) {
        *result = MPI_UNEQUAL;
    } else {
        const int local = compare(one->members, other->members);
        const int remote = compare(one->peers, other->peers);
        *result = local == MPI_UNEQUAL || remote == MPI_UNEQUAL ? MPI_UNEQUAL
                  : local == MPI_IDENT && remote == MPI_IDENT   ? MPI_CONGRUENT
                                                                : MPI_SIMILAR;
    }
    return MPI_SUCCESS;
}

}  // namespace dampi::piggyback::central::calls
