// What runs of the centralized engine use one after the other, so that not each has to make it: the memory that is
// shared with the ranks, the ranks themselves where they come back (launch/prepared_program.hpp), which have
// that memory mapped already, and the processor on which they and the thread that drives them take turns.
//
// A run keeps to one processor only if there are as many runs side by side as processors, and if its ranks mostly wait
// for each other (takes_turns): ranks that compute at the same time would wait for each other's computing. Decides
// nothing about a run.
#pragma once

#include "launch/processors.hpp"
#include "transport/memory/memory_file.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

#include <sys/types.h>

namespace dampi::scheduler::central {

/// One run's at a time.
struct RunSlot {
    int number = 0;
    transport::memory::MemoryFile area;      ///< of the last run, cleared; may be invalid
    transport::memory::MemoryFile exchange;  ///< of the last run, cleared; may be invalid
    pid_t crew = 0;                          ///< the last run's ranks (JobSpec::crew); 0: they have not come back
    int processor = launch::any_processor;
    bool is_alone = true;  ///< no other run is under way when it begins
};

/// May be used by several threads.
/// How fast a run went, or a part of it.
struct Pace {
    std::chrono::steady_clock::duration duration{};
    std::uint64_t answers = 0;  ///< which ranks had waited for
};
/// Whether what the ranks do between two answers is so little that they need no processors of their own.
bool takes_turns(const Pace& pace);

class RunSlots {
public:
    RunSlots();
    RunSlot take();
    void put_back(RunSlot slot, const Pace& pace);

private:
    std::mutex mutex_;
    std::vector<RunSlot> free_;
    int made_ = 0;
    bool take_turns_ = false;  ///< the ranks of the last run did
    const int first_;          ///< where several dampi-runs go on side by side each begins with another processor
};

}  // namespace dampi::scheduler::central
