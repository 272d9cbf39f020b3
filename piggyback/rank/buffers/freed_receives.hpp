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
#include <cstring>
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

    /// The program calls this MPI function.
    void enters_call(PendingBuffers& pending, const char* function) {
        if (holds_ && since_ != pending.lessons) [[unlikely]] {
            held_.release();
            holds_ = false;
        }
        if (!only_begins(function)) {
            ++pending.lessons;
        }
    }

private:
    /// With each call: so nothing is compared with all of the name.
    static bool only_begins(const char* function) {
        const char* const name = function + std::string_view("MPI_").size();
        if (name[0] != 'I') {
            return name[0] == 'R' && std::strcmp(name, "Request_free") == 0;
        }
        constexpr std::array<const char*, 5> all{"recv", "send", "bsend", "ssend", "rsend"};
        return std::any_of(all.begin(), all.end(), [&](const char* each) { return std::strcmp(name + 1, each) == 0; });
    }

    HeldBuffers held_;
    bool holds_ = false;
    std::uint64_t since_ = 0;  ///< PendingBuffers::lessons
};

}  // namespace dampi::piggyback
