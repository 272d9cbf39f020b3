// Which handles the program holds, and where it got them. MPI may give out the same handle several times (a
// communicator's group, an error handler) and expects it to be freed as often, so references are counted.
// Knows nothing of MPI. Not thread-safe.
#pragma once

#include "transport/log.hpp"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dampi::piggyback {

/// Where the program got a handle.
struct Origin {
    const char* function = "";                                     ///< a string literal, compared by its address
    std::uint64_t site = 0;                                        ///< address of the call
    std::uint32_t stack = transport::EpochPostedRecord::no_stack;  ///< CallStacks::number_of_few()
    bool operator==(const Origin&) const = default;
};

/// Of a handle that the program has no more: where it got it the last time, and where it freed it.
struct Past {
    Origin made;
    Origin freed;
};

class HeldHandles {
public:
    /// The program got `handle` from `origin` and has to free it once for that.
    void add(std::uint64_t handle, const Origin& origin) {
        const std::uint32_t index = index_of(origin);
        ++origins_[index].held;
        given_out(handle);
        auto [entry, is_new] = by_handle_.try_emplace(handle);
        Holding& holding = entry->second;
        if (is_new) {
            holding.newest = {index, 1};
        } else if (holding.newest.origin == index) {
            ++holding.newest.count;
        } else {
            holding.older.push_back(holding.newest);
            holding.newest = {index, 1};
        }
    }

    /// The program has freed `handle` once. Of several references the newest goes, since a program that gets
    /// a handle for a short use gives it back first. Nothing happens for a handle that is not held.
    void release(std::uint64_t handle, const Origin& freed_by = {}) {
        const auto entry = by_handle_.find(handle);
        if (entry == by_handle_.end()) {
            return;
        }
        Holding& holding = entry->second;
        --origins_[holding.newest.origin].held;
        if (--holding.newest.count != 0) {
            return;
        }
        if (holding.older.empty()) {
            stale_.insert_or_assign(handle, Past{.made = origins_[holding.newest.origin].origin, .freed = freed_by});
            by_handle_.erase(entry);
        } else {
            holding.newest = holding.older.back();
            holding.older.pop_back();
        }
    }

    /// The program got `handle`, but need not free it.
    void given_out(std::uint64_t handle) {
        if (!stale_.empty()) {
            stale_.erase(handle);
        }
    }

    /// Whether the program has freed the handle and not got it again since.
    [[nodiscard]] bool is_stale(std::uint64_t handle) const { return !stale_.empty() && stale_.contains(handle); }

    /// What has become of it; null for one that is not stale.
    [[nodiscard]] const Past* past(std::uint64_t handle) const {
        const auto entry = stale_.find(handle);
        return entry == stale_.end() ? nullptr : &entry->second;
    }

    /// Where the program got the handle the last time; null for one that is not held.
    [[nodiscard]] const Origin* newest_origin(std::uint64_t handle) const {
        const auto entry = by_handle_.find(handle);
        return entry == by_handle_.end() ? nullptr : &origins_[entry->second.newest.origin].origin;
    }

    /// Calls `visit(origin, number)` for each place whose handles are not all freed, in the order in which
    /// the places were first seen.
    template <typename Visit>
    void for_each_origin(Visit&& visit) const {
        for (const Known& known : origins_) {
            if (known.held != 0) {
                visit(known.origin, known.held);
            }
        }
    }

private:
    struct Known {
        Origin origin;
        std::uint64_t held = 0;
    };
    struct Run {
        std::uint32_t origin = 0;
        std::uint32_t count = 0;
    };
    struct Holding {
        Run newest;
        std::vector<Run> older;
    };
    struct Hash {
        std::size_t operator()(const Origin& origin) const {
            return std::hash<std::uint64_t>{}(origin.site ^ (std::uint64_t{origin.stack} << 32));
        }
    };

    std::uint32_t index_of(const Origin& origin) {
        if (last_ < origins_.size() && origins_[last_].origin == origin) {
            return last_;
        }
        const auto [entry, is_new] = index_.try_emplace(origin, static_cast<std::uint32_t>(origins_.size()));
        if (is_new) {
            origins_.push_back({origin, 0});
        }
        return last_ = entry->second;
    }

    std::unordered_map<std::uint64_t, Holding> by_handle_;
    std::unordered_map<std::uint64_t, Past> stale_;
    std::vector<Known> origins_;
    std::unordered_map<Origin, std::uint32_t, Hash> index_;
    std::uint32_t last_ = 0;
};

}  // namespace dampi::piggyback
