// An engine that costs nothing: a master takes the messages of its workers one after the other, by wildcard receives,
// each round from all of them; in no time, in this process. What a sweep over it takes is the explorer's own cost, that
// of taking runs in, and that of keeping them.
#pragma once

#include "scheduler/engines/execution_engine.hpp"

#include <cstdint>

namespace dampi::bench {

class FreeEngine : public scheduler::ExecutionEngine {
public:
    /// `masters` independent ranks, each with `workers` workers, who send a message in each of `rounds` rounds:
    /// (workers! ^ rounds) ^ masters outcomes.
    FreeEngine(std::uint32_t masters, std::uint32_t workers, std::uint32_t rounds)
        : masters_(masters), workers_(workers), rounds_(rounds) {}

    replay::RunRecord run(const replay::Interleaving& interleaving, std::stop_token stop) override;
    /// Of all outcomes; 0: too many to count.
    [[nodiscard]] std::uint64_t outcomes() const;

private:
    std::uint32_t masters_;
    std::uint32_t workers_;
    std::uint32_t rounds_;
};

}  // namespace dampi::bench
