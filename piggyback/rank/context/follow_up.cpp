#include "piggyback/rank/context/follow_up.hpp"

#include "base/hash.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/core.hpp"

namespace dampi::piggyback {
namespace {

constexpr std::uint64_t nothing_yet = 1;
constexpr std::uint64_t the_source = ~std::uint64_t{0} - 1;  // no rank, nor any_source

/// The call's function and place, as a number that is equal in every run.
std::uint64_t value_of(Core& core, const Call& call) {
    return base::Hash().add(call.function()).add(stable_place(core, call.site())).value();
}

}  // namespace

std::uint64_t FollowUp::begin_epoch() { return on_ ? digest_.exchange(nothing_yet, std::memory_order_relaxed) : 0; }

void FollowUp::add(Core& core, const Call& call, base::Rank peer) {
    const auto [place, added] = places_.try_emplace(call.site(), 0);
    if (added) {
        place->second = value_of(core, call);
    }
    const std::uint64_t with = peer != base::any_source && peer == source_
                                   ? the_source
                                   : static_cast<std::uint64_t>(static_cast<std::int64_t>(peer));
    const std::uint64_t digest =
        base::Hash(digest_.load(std::memory_order_relaxed)).add(place->second).add(with).value();
    digest_.store(digest == 0 ? nothing_yet : digest, std::memory_order_relaxed);
}

}  // namespace dampi::piggyback
