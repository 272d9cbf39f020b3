// The MPI objects beside requests and communicators that the program has to free: groups, datatypes,
// operators, windows, error handlers, attribute keys, info objects, files. Follows who made them where, so that those
// never freed can be reported at MPI_Finalize. The bodies of the functions that make and free them stand in
// the files beside this one.
#pragma once

#include "piggyback/rank/resources/held_handles.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace dampi::piggyback {

enum class ResourceKind : std::uint8_t {
    group,
    datatype,
    operation,
    window,
    errhandler,
    keyval,
    info,
    file,
    memory,
    session
};
inline constexpr std::size_t resource_kinds = 10;

class Resources {
public:
    /// `misses_calls`: the program has called MPI from where nobody sees which handles it gets (Core::misses_calls).
    explicit Resources(const std::atomic<bool>& misses_calls) : misses_calls_(misses_calls) {}

    [[nodiscard]] HeldHandles& held(ResourceKind kind) { return held_[static_cast<std::size_t>(kind)]; }

    /// Whether the program has freed the handle and, as far as anybody knows, not got it again since.
    [[nodiscard]] bool is_stale(ResourceKind kind, std::uint64_t handle) {
        if (misses_calls_.load(std::memory_order_relaxed)) {
            return false;
        }
        return held(kind).is_stale(handle);
    }

private:
    std::array<HeldHandles, resource_kinds> held_;
    const std::atomic<bool>& misses_calls_;
};

}  // namespace dampi::piggyback
