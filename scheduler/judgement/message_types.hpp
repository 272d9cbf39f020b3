// Whether the data of messages and of their receives agree, by the datatypes that the ranks have written down: says
// what is wrong where they do not. It looks only at pairs whose hashes differ; which messages and receives belong
// together is for others to say.
#pragma once

#include "base/types.hpp"
#include "transport/type_table.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace dampi::scheduler {

/// A message as its sender describes it.
struct SentData {
    base::Rank source = 0;
    base::CommId comm = 0;
    base::Tag tag = 0;
    transport::TypedData data;
    std::uint64_t site = 0;  ///< of the send

    auto operator<=>(const SentData&) const = default;
};

/// A message, and a receive that has taken it or could have.
struct ReceivedData {
    SentData sent;
    base::Rank destination = 0;
    transport::TypedData data;  ///< that the receive asks for
    std::uint64_t site = 0;     ///< of the receive

    auto operator<=>(const ReceivedData&) const = default;
};

class MessageTypes {
public:
    explicit MessageTypes(std::size_t ranks = 0) : tables_(ranks) {}

    /// Of a rank, to be filled from its log.
    [[nodiscard]] transport::TypeTable& table(base::Rank rank) { return tables_[static_cast<std::size_t>(rank)]; }

    /// Where data of one rank and of another disagree, the first being here; nothing where they do not, or nobody can
    /// tell.
    [[nodiscard]] std::optional<transport::TypeDifference> difference(base::Rank here, const transport::TypedData& data,
                                                                      base::Rank there,
                                                                      const transport::TypedData& other);
    /// Where what is received disagrees with what was sent.
    [[nodiscard]] std::optional<transport::TypeDifference> difference(const ReceivedData& received);

private:
    using Pair = std::tuple<base::Rank, transport::TypedData, base::Rank, transport::TypedData>;

    std::vector<transport::TypeTable> tables_;
    std::map<Pair, std::optional<transport::TypeDifference>> known_;  ///< many messages are alike
};

/// "struct[1].vector[3]: MPI_INT here, MPI_FLOAT there"; the first of the difference is here.
[[nodiscard]] std::string text_of(const transport::TypeDifference& difference);

}  // namespace dampi::scheduler
