// In which order the threads of a rank issued what is named by its place in an order: sends, receives, probes and
// choices. A guided run follows it as far as its decisions go, so that they mean the same operations.
//
// A plain value. Orders of the same run that only differ in how far they go share their memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace dampi::replay {

/// A thread's name, the same in all runs: 0 for the main thread; for others a digest of the thread that made it, and of
/// how many that one had made before.
using ThreadName = std::uint32_t;
inline constexpr ThreadName main_thread = 0;

/// So many operations by the same thread, one after the other.
struct ThreadTurn {
    ThreadName thread = main_thread;
    std::uint32_t operations = 0;

    bool operator==(const ThreadTurn&) const = default;
};

class ThreadOrder {
public:
    using Turns = std::vector<ThreadTurn>;

    ThreadOrder() = default;
    /// The first `operations` of `all`.
    ThreadOrder(std::shared_ptr<const Turns> all, std::uint64_t operations)
        : all_(std::move(all)), operations_(operations) {}
    explicit ThreadOrder(Turns turns) {
        for (const ThreadTurn& turn : turns) {
            operations_ += turn.operations;
        }
        all_ = operations_ == 0 ? nullptr : std::make_shared<const Turns>(std::move(turns));
    }

    /// Only one thread: nothing to follow.
    [[nodiscard]] bool empty() const { return all_ == nullptr || operations_ == 0; }

    [[nodiscard]] Turns turns() const {
        Turns turns;
        std::uint64_t left = empty() ? 0 : operations_;
        for (std::size_t i = 0; left != 0 && i < all_->size(); ++i) {
            ThreadTurn turn = (*all_)[i];
            turn.operations = static_cast<std::uint32_t>(std::min<std::uint64_t>(turn.operations, left));
            left -= turn.operations;
            turns.push_back(turn);
        }
        return turns;
    }

    bool operator==(const ThreadOrder& other) const { return turns() == other.turns(); }

private:
    std::shared_ptr<const Turns> all_;
    std::uint64_t operations_ = 0;
};

}  // namespace dampi::replay
