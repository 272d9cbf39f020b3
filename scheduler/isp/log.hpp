// ISP's log as its readers (GEM's views, ISP's own interface) expect it: the number of ranks, then for each
// interleaving the calls of each rank and what the rank leaked, then "N DEADLOCK" if it ended in one. Makes text of
// plain values and touches no file.
//
// A call's line, all in decimal:
//   interleaving rank index order issue function [peer tag] [communicator] { within } { across } Match: rank index
//   File: length name line
// `index` counts the rank's calls from 0; `order` and `issue` count those of all interleavings from 1 (GEM takes an
// issue that it has seen before for none); issue -1 is a call that came to nothing. A communicator is its number and
// its members, "0_0:1:2:". `within` are the indices of calls of the same rank that the call completes before, `across`
// such calls of other ranks, each as "[ rank index ]" (completes_before.hpp).
#pragma once

#include "scheduler/isp/interleaving.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace dampi::scheduler::isp {

/// Remembers between interleavings only how far the numbers are that go through the whole log.
class LogText {
public:
    LogText(int processes, bool sends_block) : processes_(processes), sends_block_(sends_block) {}

    /// The first line.
    [[nodiscard]] std::string head() const;

    /// The lines of one interleaving;
    [[nodiscard]] std::string interleaving(const Interleaving& run);

private:
    [[nodiscard]] std::string communicator(const replay::CallEvent& call);

    int processes_;
    bool sends_block_;
    std::uint64_t calls_ = 0;                              ///< so far
    std::map<replay::CommId, std::size_t> communicators_;  ///< their numbers in this interleaving
};

}  // namespace dampi::scheduler::isp
