#include "transport/collective_mismatch.hpp"

#include "base/hash.hpp"
#include "transport/collective_operation.hpp"

#include <initializer_list>
#include <utility>

namespace dampi::transport {
namespace {

/// A rank of the root's group in an intercommunicator says that it is not the root, while `other` thinks it is.
bool denies_to_be_root(base::Rank rank, const Contribution& part, const Contribution& other) {
    return part.root == unknown_root && other.root == rank;
}

bool amounts_differ(const Contribution& part, const Contribution& other) {
    for (const std::uint64_t mine : {part.sent, part.received}) {
        for (const std::uint64_t theirs : {other.sent, other.received}) {
            if (mine != unknown_amount && theirs != unknown_amount && mine != theirs) {
                return true;
            }
        }
    }
    return false;
}

/// Whether each rank gets something else from each, or something of its own.
bool is_per_rank(std::uint32_t operation) {
    for (const Collective collective :
         {Collective::gather, Collective::scatter, Collective::allgather, Collective::alltoall}) {
        if (same_collective(operation, operation_number(collective, CollectiveForm::blocking))) {
            return true;
        }
    }
    return false;
}

std::string bytes(std::uint64_t amount) { return std::to_string(amount) + (amount == 1 ? " byte" : " bytes"); }

}  // namespace

Difference difference(base::Rank rank, const Contribution& part, base::Rank other_rank, const Contribution& other) {
    constexpr auto no_reduction = static_cast<std::uint32_t>(Reduction::unknown);
    if (part.operation != other.operation) {
        return Difference::operation;
    }
    if (denies_to_be_root(rank, part, other) || denies_to_be_root(other_rank, other, part) ||
        (part.root != other.root && part.root != unknown_root && other.root != unknown_root)) {
        return Difference::root;
    }
    if (part.reduction != other.reduction && part.reduction != no_reduction && other.reduction != no_reduction) {
        return Difference::reduction;
    }
    if (part.arguments != other.arguments && part.arguments != 0 && other.arguments != 0) {
        return Difference::arguments;
    }
    if (amounts_differ(part, other)) {
        return Difference::amount;
    }
    return differing_data(part, other) ? Difference::types : Difference::none;
}

std::uint64_t digest_of(const Contribution& part) {
    base::Hash hash;
    hash.add(part.operation).add(part.reduction).add(static_cast<std::uint64_t>(part.root)).add(part.arguments);
    hash.add(part.sent).add(part.received);
    for (const TypedData& data : {part.sent_data, part.received_data}) {
        hash.add(data.hash).add(data.items).add(data.type == no_type ? 0 : 1);
    }
    return hash.value() == 0 ? 1 : hash.value();
}

std::optional<std::pair<TypedData, TypedData>> differing_data(const Contribution& part, const Contribution& other) {
    for (const TypedData& mine : {part.sent_data, part.received_data}) {
        for (const TypedData& theirs : {other.sent_data, other.received_data}) {
            if (mine.type != no_type && theirs.type != no_type &&
                (mine.items != theirs.items || mine.hash != theirs.hash)) {
                return std::pair(mine, theirs);
            }
        }
    }
    return std::nullopt;
}

std::string differing_property(Difference found, const Contribution& part) {
    switch (found) {
        case Difference::none:
        case Difference::operation:
        case Difference::arguments:
        case Difference::types:
            return {};
        case Difference::root:
            return part.root >= 0 ? "root " + std::to_string(part.root) : "root MPI_PROC_NULL";
        case Difference::reduction:
            return reduction_name(part.reduction);
        case Difference::amount:
            break;
    }
    if (part.sent == part.received) {
        return bytes(part.sent) + (is_per_rank(part.operation) ? " per rank" : "");
    }
    std::string text;
    if (part.sent != unknown_amount) {
        text = bytes(part.sent) + " sent";
    }
    if (part.received != unknown_amount) {
        text += (text.empty() ? "" : " and ") + bytes(part.received) + " received";
    }
    return text + (is_per_rank(part.operation) ? " per rank" : "");
}

}  // namespace dampi::transport
