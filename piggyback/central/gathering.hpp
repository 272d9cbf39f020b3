// A collective as work for the centralized engine: each rank gives its contribution, packed, to those who need it, and
// takes what it needs out of those of others (moves.hpp) when all of them have come.
#pragma once

#include "piggyback/central/moves.hpp"
#include "piggyback/central/work.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "transport/requests/protocol.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace dampi::piggyback::central {

/// Bytes that ranks give each other where no data of the program's moves.
using Words = std::vector<std::int64_t>;

class Collective : public Work {
public:
    /// `operation`: transport::operation_number. `flow` need not outlive the call. `held`: the work outlives
    /// the call.
    Collective(Communicator& communicator, std::uint32_t operation, const Flow& flow, Moves moves, bool held);
    ~Collective() override;

    void start(const Call& call) override;

    /// For a persistent one: enters the collective in which the ranks agree on it, without waiting. From then on the
    /// starts meet on a stand-in, where they match only each other.
    void agree(const Call& call);

protected:
    int receive(const Call& call, const Completion& completion, MPI_Status& status) override;
    void settle(const Completion& completion) override;

private:
    /// Another rank's contribution, or this one's, as it was packed.
    struct Contribution {
        const std::uint8_t* data = nullptr;
        std::uint64_t bytes = 0;
    };

    void hold_types();
    /// What the rank says when it enters the collective; without data.
    [[nodiscard]] transport::requests::CollectiveCall entering(const Call& call, const Communicator& place);
    [[nodiscard]] std::uint64_t packed_bytes() const;
    void pack_pieces(std::uint8_t* to) const;
    /// The piece that a landing means; empty where the contribution has none.
    [[nodiscard]] std::span<const std::uint8_t> piece_of(const Contribution& from, std::size_t piece) const;
    [[nodiscard]] Contribution contribution_of(const Completion& completion, int index) const;
    void reduce(const Call& call, const Completion& completion) const;

    std::uint32_t operation_;
    transport::requests::Sources sources_ = transport::requests::Sources::none;
    std::vector<base::Rank> listed_;
    std::uint32_t readers_;
    base::Rank root_;
    transport::Reduction reduction_;
    std::uint64_t sent_;
    std::uint64_t received_;
    transport::TypedData sent_data_;
    transport::TypedData received_data_;
    std::uint64_t arguments_;
    std::shared_ptr<const FlowShares> shares_;
    bool zone_;
    Moves moves_;
    std::vector<HeldType> types_;
    MPI_Op needed_ = MPI_OP_NULL;  ///< while the work lives
    std::shared_ptr<Communicator> apart_;
    Place own_ = 0;
    std::uint64_t own_bytes_ = 0;
};

/// The scheduler gets to know that this rank is a member of the communicator, or stand-in.
void tell_of(const Communicator& communicator);

/// A collective of the engine's own making, in which ranks tell each other some numbers: for those that make
/// communicators. Waits for it.
struct Exchanged {
    base::CommId comm = 0;
    std::uint32_t operation = 0;
    std::vector<base::Rank> sources;                ///< world ranks; all those are waited for, and heard
    std::uint32_t readers = 0;                      ///< how many hear this rank
    Words own;                                      ///< what this rank says
    std::uint64_t arguments = 0;                    ///< Flow::arguments
    std::shared_ptr<const FlowShares> shares = {};  ///< Flow::shares
    bool leader = false;                            ///< CollectiveCall::leader
    int tag = 0;
    bool apart = false;
};
/// What each of the sources said, in their order.
std::vector<Words> exchange_words(const Call& call, const Exchanged& exchanged);

}  // namespace dampi::piggyback::central
