// From whom a rank may have learned something in a way that clocks do not follow, and when. What was put into
// somebody's memory can be read there; whoever has read it can tell others by a message. So a rank that has read
// through a window, or has heard from others, may know that an access was complete though its clock does not say so.
#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dampi::piggyback::distributed {

class Hearsay {
public:
    /// Moments are numbered as something is heard: what is heard from now on comes after this one.
    [[nodiscard]] std::uint64_t now() const { return now_; }

    /// A message of this rank's has been met, or one to it: what it tells the program may be told later.
    void message(base::Rank rank) {
        const auto index = static_cast<std::size_t>(rank);
        if (index >= messages_.size()) {
            messages_.resize(index + 1);
        }
        messages_[index] = ++now_;
    }
    /// Several ranks have told something, or somebody has of whom nothing is known.
    void somebody() { somebody_ = ++now_; }
    /// Something was read through a window.
    void read() { read_ = ++now_; }

    /// Whether anything was heard but messages of `rank`'s; messages after `messages_after`, the rest after `after`.
    [[nodiscard]] bool heard_but_from(base::Rank rank, std::uint64_t messages_after, std::uint64_t after) const {
        if (somebody_ > after || read_ > after) {
            return true;
        }
        for (std::size_t i = 0; i < messages_.size(); ++i) {
            if (messages_[i] > messages_after && static_cast<base::Rank>(i) != rank) {
                return true;
            }
        }
        return false;
    }

private:
    std::uint64_t now_ = 0;
    std::uint64_t somebody_ = 0;
    std::uint64_t read_ = 0;
    std::vector<std::uint64_t> messages_;  ///< by rank: when the latest was met
};

}  // namespace dampi::piggyback::distributed
