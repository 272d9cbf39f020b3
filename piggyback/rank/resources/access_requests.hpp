// The requests of accesses to windows (MPI_Rput and the like) and of a rank's own accesses to files (MPI_File_iread)
// that the program has not completed. Otherwise the layer does not follow them: they choose nothing. Under the lock of
// the layer's calls.
#pragma once

#include "piggyback/rank/buffers/pending.hpp"
#include "piggyback/rank/resources/held_handles.hpp"
#include "piggyback/rank/shared_handles.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <mpi.h>

namespace dampi::piggyback {

struct AccessRequest {
    Origin origin;
    MPI_File file = MPI_FILE_NULL;  ///< null: it is an access to a window
    bool is_told = false;           ///< what is wrong with it is said: it is no leak besides
    const void* window = nullptr;   ///< only compared; null where nothing is known of it
    int target = 0;                 ///< in the window
    HeldBuffers buffers;            ///< this rank's own, until the program may use them again
};

class AccessRequests {
public:
    /// The reference is valid until the request is removed.
    AccessRequest& add(MPI_Request handle, const Origin& origin) {
        if (!is_shared_handle(handle)) {
            requests_.erase(handle);  // it has been completed where nobody has seen it
        }
        AccessRequest& added = requests_.emplace(std::piecewise_construct, std::tuple(handle), std::tuple())->second;
        added.origin = origin;
        return added;
    }

    [[nodiscard]] bool has(MPI_Request handle) const { return !requests_.empty() && requests_.contains(handle); }
    [[nodiscard]] std::ptrdiff_t count(MPI_Request handle) const {
        return requests_.empty() ? 0 : static_cast<std::ptrdiff_t>(requests_.count(handle));
    }

    /// The program knows that the request is complete, and has it still. Which of those with a shared handle it is
    /// nobody knows.
    void release_buffers(MPI_Request handle) {
        const auto [first, last] = requests_.equal_range(handle);
        std::for_each(first, last, [](auto& each) { each.second.buffers.release(); });
    }

    /// Null where there is none.
    [[nodiscard]] const AccessRequest* find(MPI_Request handle) const {
        const auto found = requests_.find(handle);
        return found == requests_.end() ? nullptr : &found->second;
    }

    /// Calls `visit(request)` for each with this handle.
    template <typename Visit>
    void for_each_of(MPI_Request handle, Visit&& visit) const {
        const auto [first, last] = requests_.equal_range(handle);
        std::for_each(first, last, [&](const auto& each) { visit(each.second); });
    }

    /// The program has completed the request, or freed it. Calls `visit(PendingUse)` for each buffer before it is gone.
    /// Whether there was one.
    template <typename Visit>
    bool remove(MPI_Request handle, Visit&& visit) {
        if (!has(handle)) {
            return false;
        }
        const auto [first, last] = requests_.equal_range(handle);
        std::for_each(first, last, [&](auto& each) { each.second.buffers.release(visit); });
        requests_.erase(first);
        return true;
    }
    bool remove(MPI_Request handle) {
        return remove(handle, [](const PendingUse& /*pending*/) {});
    }

    /// Calls `visit(handle, request)`.
    template <typename Visit>
    void for_each(Visit&& visit) {
        for (auto& [handle, request] : requests_) {
            visit(handle, request);
        }
    }

private:
    std::unordered_multimap<MPI_Request, AccessRequest> requests_;
};

/// Those of this rank.
AccessRequests& access_requests();

}  // namespace dampi::piggyback
