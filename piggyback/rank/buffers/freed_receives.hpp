// The buffers of receives whose requests the program has freed while they were pending. It will never be told that such
// a message is there, and can know of it from other messages only: so the buffer is the receive's until a call has
// begun and ended, after the receive, from which the program may have learned something of other ranks. (That does not
// hang on when the message comes.)
#pragma once

#include "piggyback/rank/buffers/pending.hpp"
#include "piggyback/rank/requests.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dampi::piggyback {

class FreedReceives {
public:
    /// The program frees the request of this receive, which is pending: takes its buffers over.
    void take(PendingBuffers& pending, Request& request) {
        // Of several that have one handle nobody knows which one the program means.
        const bool is_certain = request.next_with_same_handle == nullptr;
        std::vector<PendingUse> uses;
        request.release_buffers([&](const PendingUse& each) {
            if (is_certain && each.since == pending.lessons && each.use.array == nullptr) {
                uses.push_back(each);
            }
        });
        for (const PendingUse& each : uses) {
            held_.add(pending, each.use, each.function, each.site);
            holds_ = true;
        }
        since_ = pending.lessons;
    }

    /// A call of the program's begins.
    void enters_call(PendingBuffers& pending, std::string_view function) {
        if (holds_ && since_ != pending.lessons) [[unlikely]] {
            held_.release();
            holds_ = false;
        }
        if (!only_begins(function)) {
            ++pending.lessons;
        }
    }

private:
    static bool only_begins(std::string_view function) {
        constexpr std::array<std::string_view, 5> all{"MPI_Irecv", "MPI_Isend", "MPI_Ibsend", "MPI_Issend",
                                                      "MPI_Irsend"};
        return function.starts_with("MPI_I") ? std::find(all.begin(), all.end(), function) != all.end()
                                             : function == "MPI_Request_free";
    }

    HeldBuffers held_;
    bool holds_ = false;
    std::uint64_t since_ = 0;  ///< PendingBuffers::lessons
};

}  // namespace dampi::piggyback
