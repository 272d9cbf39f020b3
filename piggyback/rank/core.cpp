#include "piggyback/rank/core.hpp"

#include "clocks/snapshot.hpp"

#include <cstring>
#include <ctime>

#include <sched.h>

namespace dampi::piggyback {
namespace {

/// At least one.
std::uint32_t own_cores() noexcept {
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? static_cast<std::uint32_t>(CPU_COUNT(&cores)) : 1;
}

/// Where the call is that the rank is in; 0 where that is not certain.
std::uint64_t site_of_call(const transport::Board& board) noexcept {
    const bool one_thread = board.multithreaded.load(std::memory_order_relaxed) == 0;
    return one_thread && board.last_call.inside.load(std::memory_order_relaxed) != 0 ? board.last_call.site : 0;
}

}  // namespace

Core::Core(transport::RankPort& own_port)
    : port(own_port),
      log(port.log_room()),
      record_stacks(port.terms().record_stacks != 0),
      places_have_stacks(port.terms().places_have_stacks != 0),
      warns_unusual(port.terms().warns_unusual != 0),
      checks_buffers(port.terms().checks_buffers != transport::checks_no_buffers),
      notes_unchecked(port.terms().checks_buffers == transport::checks_and_notes),
      crowded(port.processes() > own_cores()),
      spins(crowded ? 4 : 2000),
      rank_(port.rank()),
      board_(port.board()) {
    clocks::Snapshot::use_in_one_thread();
}

void Core::note(transport::Moment moment) noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    board_.moment[static_cast<std::size_t>(moment)].store(
        static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec),
        std::memory_order_relaxed);
}

void Core::count_not_modelled(const char* name, std::uint64_t site) noexcept {
    for (auto& slot : board_.not_modelled) {
        if (slot.name[0] == '\0') {
            std::strncpy(slot.name, name, sizeof slot.name - 1);
            slot.site.store(site != 0 ? site : site_of_call(board_), std::memory_order_relaxed);
        }
        if (std::strncmp(slot.name, name, sizeof slot.name - 1) == 0) {
            slot.count.store(slot.count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            return;
        }
    }
    // More different ones than slots: the last one stands for all the rest.
    auto& last = board_.not_modelled[transport::not_modelled_slots - 1];
    last.count.store(last.count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void Core::record_violation(replay::ViolationKind kind, const std::string& message, const char* function,
                            std::uint64_t site, const std::string& detail) {
    log.append(transport::ViolationRecord{
        .kind = replay::number_of(kind), .message = message, .call = function, .detail = detail, .site = site});
}

void Core::record_note(replay::ViolationKind kind, const std::string& message, const char* function,
                       std::uint64_t site) {
    log.append(transport::NoteRecord{
        {.kind = replay::number_of(kind), .message = message, .call = function, .detail = "", .site = site}});
}

}  // namespace dampi::piggyback
