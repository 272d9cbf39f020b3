// What gcc's OpenMP runtime orders, told to ThreadSanitizer, which does not see into that library: it takes each access
// behind a barrier or a parallel region for one that races with those before it. More may be told than holds, as
// between tasks that do not wait for each other: a race can then stay unseen, but none is seen that is none.
#pragma once

#include <array>

namespace dampi::piggyback::openmp {

/// What this thread has done is known to whoever acquires the same moment, the address of anything, later.
void release(void* moment);
void acquire(void* moment);

/// Moments of a parallel region.
struct Team {
    char begins = 0;
    char ends = 0;
    std::array<char, 2> barriers{};  ///< in turn: nobody comes to the next but one before all have left this one
    char copied = 0;
    char ordered = 0;
};

/// A thread's part in a team, while it is in the region.
class Member {
public:
    explicit Member(Team& team);
    ~Member();
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;
    Member(Member&&) = delete;
    Member& operator=(Member&&) = delete;

    /// This thread's innermost one; null outside of parallel regions.
    [[nodiscard]] static Member* current();
    [[nodiscard]] Team& team() const { return team_; }
    /// That of the barrier it comes to now.
    [[nodiscard]] void* next_barrier() { return &team_.barriers.at(barriers_++ % 2); }

private:
    Team& team_;
    Member* outer_;
    unsigned barriers_ = 0;
};

/// Moments of all tasks of the process: they have been made; they are done.
[[nodiscard]] void* tasks_made();
[[nodiscard]] void* tasks_done();

}  // namespace dampi::piggyback::openmp
