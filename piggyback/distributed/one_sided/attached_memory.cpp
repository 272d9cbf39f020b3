#include "piggyback/distributed/one_sided/attached_memory.hpp"

#include "piggyback/distributed/one_sided/told_lists.hpp"

#include <algorithm>
#include <optional>

namespace dampi::piggyback::distributed {
namespace {

/// One piece, as the others read it.
struct Piece {
    std::int64_t begin = 0;  ///< its address
    std::int64_t length = 0;

    [[nodiscard]] std::int64_t end() const { return begin + length; }
};

/// Behind attached memory by no more than that, an access is said to be behind it.
constexpr std::int64_t nearby = 1 << 20;

/// This rank's, upwards.
std::vector<Piece> own_pieces(const Window& window) {
    std::vector<Piece> pieces;
    pieces.reserve(window.attached.size());
    for (const auto& [base, size] : window.attached) {
        pieces.push_back({.begin = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(base)), .length = size});
    }
    return pieces;
}

void tell_pieces(DistributedLayer& layer, std::uint64_t site, Window& window) {
    tell(layer, site, window, Signal::memory_attached, window.group->rank, window.attached_told, own_pieces(window), 0);
}

/// The first byte from `begin` on, before `end`, that is in none of the pieces, which go upwards.
std::optional<std::int64_t> first_outside(const std::vector<Piece>& pieces, std::int64_t begin, std::int64_t end) {
    for (const Piece& piece : pieces) {
        if (begin < end && piece.begin <= begin && begin < piece.end()) {
            begin = piece.end();
        }
    }
    return begin < end ? std::optional(begin) : std::nullopt;
}

}  // namespace

void note_attached(DistributedLayer& layer, std::uint64_t site, Window& window, const void* base, MPI_Aint size) {
    window.attached.emplace(base, size);
    tell_pieces(layer, site, window);
}

void note_detached(DistributedLayer& layer, Window& window, const void* base) {
    window.attached.erase(base);
    tell_pieces(layer, 0, window);
}

std::string not_attached(DistributedLayer& layer, Window& window, int target, const std::vector<Blocks>& blocks) {
    const std::vector<Piece> pieces = target == window.group->rank
                                          ? own_pieces(window)
                                          : told<Piece>(layer, window, Signal::memory_attached, target, target);
    for (const Blocks& each : blocks) {
        for (std::int64_t i = 0; i < each.count; ++i) {
            const std::int64_t begin = each.begin + i * each.stride;
            const auto outside = first_outside(pieces, begin, begin + each.length);
            if (!outside) {
                continue;
            }
            // Addresses differ from run to run: it is said from the memory that lies before it.
            const auto before = std::find_if(pieces.rbegin(), pieces.rend(),
                                             [&](const Piece& piece) { return piece.begin <= *outside; });
            if (before == pieces.rend() || *outside - before->end() >= nearby) {
                return ", which is not attached to the window";
            }
            return " from byte " + std::to_string(*outside - before->begin) + " of " + std::to_string(before->length) +
                   " on, and no more than these are attached to the window there";
        }
    }
    return {};
}

}  // namespace dampi::piggyback::distributed
