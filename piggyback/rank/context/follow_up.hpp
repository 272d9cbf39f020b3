// A digest of what the rank communicates between one epoch and the next: which calls, in which places of the program,
// with whom. Iterations of a loop that communicate alike have equal digests, whichever message they were given: the
// source that the program has learned last is "the source". It follows from the outcomes alone, not from timing:
// what counts is what the program calls and is told; polls in vain are not counted. Off unless dampi-run asks for it.
#pragma once

#include "base/types.hpp"

#include <atomic>
#include <cstdint>
#include <unordered_map>

namespace dampi::piggyback {

class Call;
class Core;

class FollowUp {
public:
    /// `digest` stands on the board, so that it survives the rank.
    FollowUp(bool on, std::atomic<std::uint64_t>& digest) : on_(on), digest_(digest) {}

    /// The program begins to send, receive or probe, or enters a collective, that is no epoch. `peer`: world rank, or
    /// any_source for none.
    void communicates(Core& core, const Call& call, base::Rank peer) {
        if (on_) {
            add(core, call, peer);
        }
    }
    /// The program gets to know whose message its wildcard receive or probe has met.
    void learns_source(base::Rank source) { source_ = source; }

    /// An epoch begins; returns the digest of what came before. 0: off.
    std::uint64_t begin_epoch();

private:
    void add(Core& core, const Call& call, base::Rank peer);

    bool on_;
    std::atomic<std::uint64_t>& digest_;
    base::Rank source_ = base::any_source;
    std::unordered_map<std::uint64_t, std::uint64_t> places_;  ///< what stands for a call's site in the digest
};

}  // namespace dampi::piggyback
