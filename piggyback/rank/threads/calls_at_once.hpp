// Whether two threads of a rank do at the same time, each in a call, what MPI forbids at any thread level: collective
// calls on the same communicator (window, file), whose order nobody knows then, and waiting for the same request, which
// completes once. A call says so for as long as it lasts. That two overlap is a fact; that two others do not may be a
// matter of time.
#pragma once

#include "piggyback/rank/layer.hpp"
#include "replay/violation_kind.hpp"

#include <cstddef>
#include <cstdint>

namespace dampi::piggyback {

class Call;

/// What no call of another thread may use while this one does. All members with the lock.
class CallsAtOnce {
public:
    /// `words`: how the report goes on behind "... was in MPI_X". `call` lives longer.
    CallsAtOnce(const Call& call, replay::ViolationKind kind, const char* words)
        : call_(call), kind_(kind), words_(words) {}
    ~CallsAtOnce() { end(); }
    CallsAtOnce(const CallsAtOnce&) = delete;
    CallsAtOnce& operator=(const CallsAtOnce&) = delete;

    /// From now on the call uses this too: an address, or a handle.
    void use(Layer& layer, std::uint64_t what) {
        if (layer.locks_calls) [[unlikely]] {
            add(layer, what);
        }
    }
    /// The call uses none of it any more, though it is not over.
    void end() {
        if (uses_ != 0) [[unlikely]] {
            remove();
        }
    }

private:
    void add(Layer& layer, std::uint64_t what);
    void remove();

    const Call& call_;
    replay::ViolationKind kind_;
    const char* words_;
    std::size_t uses_ = 0;
};

}  // namespace dampi::piggyback
