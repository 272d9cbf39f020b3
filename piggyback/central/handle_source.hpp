// Values for handles of objects that are the engine's own. Knows nothing of the objects.
#pragma once

#include <cstddef>
#include <deque>

namespace dampi::piggyback::central {

/// Handles in the form of MPICH's, where the null handle tells their kind. A value is used again as late as possible,
/// so that one that is used up is known as that for long.
class HandleSource {
public:
    explicit HandleSource(unsigned null_handle) : base_(null_handle | objects) {}

    [[nodiscard]] int take() {
        if (free_.size() < kept_free) {
            return static_cast<int>(base_ | next_++);
        }
        const int handle = free_.front();
        free_.pop_front();
        return handle;
    }
    void give_back(int handle) { free_.push_back(handle); }
    /// How many it has made; that and who has been given back say which come next.
    [[nodiscard]] unsigned made() const { return next_ - 1; }
    [[nodiscard]] const std::deque<int>& given_back() const { return free_; }

private:
    static constexpr unsigned objects = 0x80000000U;
    static constexpr std::size_t kept_free = 4096;
    unsigned base_;
    unsigned next_ = 1;
    std::deque<int> free_;
};

}  // namespace dampi::piggyback::central
