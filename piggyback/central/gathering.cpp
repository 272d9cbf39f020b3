// A contribution lies in memory as: the number of pieces, a PieceHead for each, and the pieces, each where any datatype
// may begin.
#include "piggyback/central/gathering.hpp"

#include "piggyback/central/errors.hpp"
#include "piggyback/rank/communicators/names.hpp"
#include "transport/collective_operation.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <optional>

namespace dampi::piggyback::central {
namespace {

constexpr std::uint64_t piece_alignment = 16;

constexpr std::uint64_t aligned(std::uint64_t bytes) {
    return (bytes + piece_alignment - 1) / piece_alignment * piece_alignment;
}

struct PieceHead {
    std::uint64_t at;  ///< from the contribution's beginning
    std::uint64_t bytes;
    std::int64_t receiver;  ///< index of the rank that it is for; -1: for whoever needs it
};

std::uint64_t head_bytes(std::size_t pieces) { return aligned(sizeof(std::uint64_t) + pieces * sizeof(PieceHead)); }

int reduce_local(const void* in, void* inout, MPI_Count count, MPI_Datatype type, MPI_Op op) {
    return count <= INT_MAX ? PMPI_Reduce_local(in, inout, static_cast<int>(count), type, op)
                            : PMPI_Reduce_local_c(in, inout, count, type, op);
}

/// Room for elements of a datatype, wherever their first bytes are.
class Room {
public:
    Room(MPI_Count count, MPI_Datatype type) {
        MPI_Count lower = 0;
        MPI_Count extent = 0;
        PMPI_Type_get_true_extent_x(type, &lower, &extent);
        const auto distance = static_cast<MPI_Count>(extent_of(type)) * (count > 0 ? count - 1 : 0);
        const MPI_Count first = std::min<MPI_Count>(lower, lower + distance);
        const MPI_Count last = std::max<MPI_Count>(lower, lower + distance) + extent;
        bytes_.resize(static_cast<std::size_t>(last - first) + piece_alignment);
        begin_ = reinterpret_cast<std::uintptr_t>(bytes_.data()) - static_cast<std::uintptr_t>(first);
    }
    [[nodiscard]] void* get() const { return reinterpret_cast<void*>(begin_); }

private:
    std::vector<std::uint8_t> bytes_;
    std::uintptr_t begin_ = 0;
};

void show_shares(const FlowShares* shares, transport::requests::CollectiveCall& collective) {
    if (shares != nullptr) {
        collective.given = shares->given;
        collective.asked = shares->asked;
    }
}

/// Those who make a persistent collective are compared then, once for all times that it is started.
void leave_out_compared(transport::requests::CollectiveCall& collective) {
    collective.reduction = static_cast<std::uint32_t>(transport::Reduction::unknown);
    collective.sent = transport::unknown_amount;
    collective.received = transport::unknown_amount;
    collective.sent_data = {};
    collective.received_data = {};
    collective.arguments = 0;
    collective.given = {};
    collective.asked = {};
}

}  // namespace

Collective::Collective(Communicator& communicator, std::uint32_t operation, const Flow& flow, Moves moves, bool held)
    : Work(communicator),
      operation_(operation),
      readers_(flow.readers),
      root_(flow.root),
      reduction_(flow.reduction),
      sent_(flow.sent),
      received_(flow.received),
      sent_data_(flow.sent_data),
      received_data_(flow.received_data),
      arguments_(flow.arguments),
      shares_(flow.shares),
      zone_(!communicator.inter && communicator.members.size() == static_cast<std::size_t>(Layer::current()->size())),
      moves_(std::move(moves)) {
    using transport::requests::Sources;
    switch (flow.sources) {
        case Flow::Sources::none:
            break;
        case Flow::Sources::lower:
            sources_ = Sources::lower;
            break;
        case Flow::Sources::everyone:
            sources_ = flow.counts.null() ? Sources::everyone : Sources::listed;
            break;
        case Flow::Sources::one:
        case Flow::Sources::listed:
            sources_ = Sources::listed;
            break;
    }
    if (sources_ == Sources::listed) {
        for_each_source(communicator, flow, [&](int index) { listed_.push_back(world_rank(communicator, index)); });
        // Several edges may lead from the same neighbour.
        std::sort(listed_.begin(), listed_.end());
        listed_.erase(std::unique(listed_.begin(), listed_.end()), listed_.end());
        if (listed_.empty()) {
            sources_ = Sources::none;
        }
    }
    if (moves_.by_receiver) {
        std::vector<int> readers;
        for (std::size_t i = 0; i < moves_.receivers.size(); ++i) {
            if (packed_size(moves_.pieces[i]) != 0 && moves_.receivers[i] != communicator.rank) {
                readers.push_back(moves_.receivers[i]);
            }
        }
        std::sort(readers.begin(), readers.end());
        readers_ = static_cast<std::uint32_t>(std::unique(readers.begin(), readers.end()) - readers.begin());
    }
    if (held) {
        hold_types();
        if (moves_.reduction && is_user_defined(moves_.reduction->op)) {
            needed_ = moves_.reduction->op;
            RankSide::current()->operators.need(needed_);
        }
    }
}

Collective::~Collective() {
    RankSide::current()->release(own_);
    if (needed_ != MPI_OP_NULL) {
        RankSide::current()->operators.need_no_longer(needed_);
    }
}

void Collective::hold_types() {
    std::vector<MPI_Datatype> given;
    const auto hold = [&](Data& data) {
        const auto found = std::find(given.begin(), given.end(), data.type);
        if (data.type == MPI_DATATYPE_NULL) {
            return;
        }
        if (found == given.end()) {
            given.push_back(data.type);
            types_.emplace_back(data.type);
            data.type = types_.back().get();
        } else {
            data.type = types_[static_cast<std::size_t>(found - given.begin())].get();
        }
    };
    for (Data& piece : moves_.pieces) {
        hold(piece);
    }
    for (Moves::Landing& landing : moves_.landings) {
        hold(landing.data);
    }
    if (moves_.reduction) {
        hold(moves_.reduction->result);
    }
}

std::uint64_t Collective::packed_bytes() const {
    std::uint64_t bytes = head_bytes(moves_.pieces.size());
    for (const Data& piece : moves_.pieces) {
        bytes += aligned(packed_size(piece));
    }
    return bytes;
}

void Collective::pack_pieces(std::uint8_t* to) const {
    const std::uint64_t number = moves_.pieces.size();
    std::memcpy(to, &number, sizeof number);
    std::uint64_t at = head_bytes(number);
    for (std::size_t i = 0; i < number; ++i) {
        const PieceHead head{at, packed_size(moves_.pieces[i]), moves_.by_receiver ? moves_.receivers[i] : -1};
        std::memcpy(to + sizeof number + i * sizeof head, &head, sizeof head);
        pack(moves_.pieces[i], to + at);
        at += aligned(head.bytes);
    }
}

transport::requests::CollectiveCall Collective::entering(const Call& call, const Communicator& place) {
    transport::requests::CollectiveCall collective;
    collective.operation = begin();
    collective.comm = place.id;
    collective.collective = operation_;
    collective.reduction = static_cast<std::uint32_t>(reduction_);
    collective.root = root_;
    collective.sent = sent_;
    collective.received = received_;
    collective.sent_data = sent_data_;
    collective.received_data = received_data_;
    collective.arguments = arguments_;
    show_shares(shares_.get(), collective);
    collective.site = call.site();
    collective.made_at = made_at(call);
    collective.function = call.function();
    return collective;
}

void Collective::agree(const Call& call) {
    RankSide& side = *RankSide::current();
    const std::uint64_t number = communicator().collectives++;
    side.tell(entering(call, communicator()));
    side.tell(transport::requests::FreeCall{.operation = operation()});
    apart_ = stand_apart(*Layer::current(), communicator(), call.function(), number);
    tell_of(*apart_);
}

void Collective::start(const Call& call) {
    RankSide& side = *RankSide::current();
    Layer& layer = *Layer::current();
    Communicator& place = apart_ != nullptr ? *apart_ : communicator();
    if (zone_) {
        ++layer.zone;
    }
    layer.follow_up.communicates(layer, call, root_);
    ++place.collectives;
    side.release(std::exchange(own_, 0));
    transport::requests::CollectiveCall collective = entering(call, place);
    if (apart_ != nullptr) {
        leave_out_compared(collective);
    }
    collective.sources = sources_;
    collective.listed = listed_;
    if (!moves_.pieces.empty() && (readers_ != 0 || moves_.takes_own)) {
        own_bytes_ = packed_bytes();
        own_ = side.allocate(own_bytes_, readers_ + 1);
        pack_pieces(side.data(own_));
        collective.bytes = own_bytes_;
        collective.payload = own_;
    }
    side.tell(std::move(collective));
}

Collective::Contribution Collective::contribution_of(const Completion& completion, int index) const {
    const RankSide& side = *RankSide::current();
    if (index == communicator().rank) {
        return own_ == 0 ? Contribution{} : Contribution{side.data(own_), own_bytes_};
    }
    const base::Rank rank = world_rank(communicator(), index);
    // The parts are mostly in the order of indices.
    const auto& parts = completion.parts;
    const auto guess = static_cast<std::size_t>(index) - (index > communicator().rank ? 1 : 0);
    const auto found =
        guess < parts.size() && parts[guess].rank == rank
            ? parts.begin() + static_cast<std::ptrdiff_t>(guess)
            : std::find_if(parts.begin(), parts.end(), [&](const auto& part) { return part.rank == rank; });
    return found == parts.end() || found->payload == 0 ? Contribution{}
                                                       : Contribution{side.data(found->payload), found->bytes};
}

namespace {

/// Whether dampi-run compares what the ranks send and receive: then too much of it is a mismatch, and no rank ends in
/// it before the others have come.
bool compares_amounts(std::uint32_t operation) {
    using transport::Collective;
    constexpr std::array by_rank{Collective::gatherv,
                                 Collective::scatterv,
                                 Collective::allgatherv,
                                 Collective::alltoallv,
                                 Collective::alltoallw,
                                 Collective::neighbor_allgather,
                                 Collective::neighbor_allgatherv,
                                 Collective::neighbor_alltoall,
                                 Collective::neighbor_alltoallv,
                                 Collective::neighbor_alltoallw};
    return std::none_of(by_rank.begin(), by_rank.end(), [&](Collective each) {
        return transport::same_collective(operation,
                                          transport::operation_number(each, transport::CollectiveForm::blocking));
    });
}

int as_int(std::uint64_t value) { return static_cast<int>(std::min<std::uint64_t>(value, INT_MAX)); }

}  // namespace

std::span<const std::uint8_t> Collective::piece_of(const Contribution& from, std::size_t piece) const {
    // Where ranks call different collectives, there may be no such piece.
    std::uint64_t number = 0;
    if (from.data == nullptr || from.bytes < sizeof number) {
        return {};
    }
    std::memcpy(&number, from.data, sizeof number);
    for (std::uint64_t i = moves_.by_receiver ? 0 : piece; i < number; ++i) {
        PieceHead head{};
        std::memcpy(&head, from.data + sizeof number + i * sizeof head, sizeof head);
        if (moves_.by_receiver && (head.receiver != communicator().rank || piece-- != 0)) {
            continue;
        }
        return {from.data + head.at, head.bytes};
    }
    return {};
}

void Collective::reduce(const Call& call, const Completion& completion) const {
    const Moves::Reduction& reduction = *moves_.reduction;
    const Data& result = reduction.result;
    const std::uint64_t size = size_of(result.type);
    if (result.count <= 0 || size == 0 || reduction.indices.empty()) {
        return;
    }
    // From the last to the first, so that each is on the left of what has been reduced already.
    const std::uint64_t skipped = size * static_cast<std::uint64_t>(reduction.first);
    std::optional<Room> room;
    for (std::size_t i = reduction.indices.size(); i-- > 0;) {
        auto piece = piece_of(contribution_of(completion, reduction.indices[i]), 0);
        piece = piece.size() < skipped ? std::span<const std::uint8_t>() : piece.subspan(skipped);
        if (i + 1 == reduction.indices.size()) {
            unpack(piece.data(), piece.size(), result);
            continue;
        }
        const auto count = std::min<MPI_Count>(result.count, static_cast<MPI_Count>(piece.size() / size));
        if (count == 0) {
            continue;
        }
        if (!room) {
            room.emplace(result.count, result.type);
        }
        unpack(piece.data(), piece.size(), {room->get(), count, result.type});
        if (is_user_defined(reduction.op)) {
            const Call::ProgramRuns function(call);
            reduce_local(room->get(), result.buffer, count, reduction.given, reduction.op);
        } else {
            reduce_local(room->get(), result.buffer, count, result.type, reduction.op);
        }
    }
}

int Collective::receive(const Call& call, const Completion& completion, MPI_Status& status) {
    int result = MPI_SUCCESS;
    for (const Moves::Landing& landing : moves_.landings) {
        const auto piece = piece_of(contribution_of(completion, landing.index), landing.piece);
        unpack(piece.data(), piece.size(), landing.data);
        if (result == MPI_SUCCESS && !compares_amounts(operation_) && piece.size() > packed_size(landing.data)) {
            result = code_of(call, Wrong::truncate, landing.index, 0, as_int(piece.size()),
                             as_int(packed_size(landing.data)));
        }
    }
    if (moves_.reduction) {
        reduce(call, completion);
    }
    make_empty(status);
    return result;
}

void Collective::settle(const Completion& completion) {
    RankSide& side = *RankSide::current();
    for (const auto& part : completion.parts) {
        side.release(part.payload);
    }
    side.release(std::exchange(own_, 0));
}

void tell_of(const Communicator& communicator) {
    transport::requests::CommunicatorCall made;
    made.comm = communicator.id;
    made.inter = communicator.inter ? 1U : 0U;
    made.members = communicator.members;
    if (communicator.inter) {
        made.remote = communicator.peers;
    }
    RankSide::current()->tell(std::move(made));
}

std::vector<Words> exchange_words(const Call& call, const Exchanged& exchanged) {
    RankSide& side = *RankSide::current();
    transport::requests::CollectiveCall collective;
    collective.operation = side.new_operation();
    collective.comm = exchanged.comm;
    collective.collective = exchanged.operation;
    collective.root = transport::no_root;
    collective.sent = transport::unknown_amount;
    collective.received = transport::unknown_amount;
    collective.arguments = exchanged.arguments;
    show_shares(exchanged.shares.get(), collective);
    collective.sources =
        exchanged.sources.empty() ? transport::requests::Sources::none : transport::requests::Sources::listed;
    collective.listed = exchanged.sources;
    collective.leader = exchanged.leader ? 1U : 0U;
    collective.tag = exchanged.tag;
    collective.apart = exchanged.apart ? 1U : 0U;
    if (!exchanged.own.empty() && exchanged.readers != 0) {
        collective.bytes = exchanged.own.size() * sizeof(std::int64_t);
        collective.payload = side.allocate(collective.bytes, exchanged.readers);
        std::memcpy(side.data(collective.payload), exchanged.own.data(), collective.bytes);
    }
    collective.site = call.site();
    collective.function = call.function();
    transport::requests::WaitCall wait;
    wait.operations = {collective.operation};
    wait.situation = side.place_of(call);
    side.tell(std::move(collective));
    const Answer answer = side.ask(call, std::move(wait));
    DAMPI_CHECK(answer.completions.size() == 1);
    std::vector<Words> heard(exchanged.sources.size());
    for (const auto& part : answer.completions.front().parts) {
        const auto at = std::find(exchanged.sources.begin(), exchanged.sources.end(), part.rank);
        if (part.payload != 0 && at != exchanged.sources.end()) {
            Words& words = heard[static_cast<std::size_t>(at - exchanged.sources.begin())];
            words.resize(part.bytes / sizeof(std::int64_t));
            std::memcpy(words.data(), side.data(part.payload), words.size() * sizeof(std::int64_t));
        }
        side.release(part.payload);
    }
    return heard;
}

}  // namespace dampi::piggyback::central
