#include "piggyback/rank/repeated_poll.hpp"

#include "piggyback/rank/layer.hpp"
#include "piggyback/rank/repetition.hpp"

#include <cstddef>

namespace dampi::piggyback {

bool repeats_poll(const char* function, const void* return_address, int count, const MPI_Request* requests) noexcept {
    Requests& known = Layer::current()->requests;
    bool may_be_open = false;
    for (int i = 0; i < count; ++i) {
        const Request* request = known.find(requests[i]);
        if (requests[i] != MPI_REQUEST_NULL && request == nullptr) {
            return false;  // nobody knows
        }
        may_be_open = may_be_open || (request != nullptr && request->active && !request->told);
    }
    return may_be_open && goes_on_repeating(function, return_address);
}

bool repeats_poll(const char* function, const void* return_address, MPI_Comm comm, int source) noexcept {
    const Communicator* communicator = Layer::current()->communicators.look_up(comm);
    const bool asks =
        communicator != nullptr &&
        (source == MPI_ANY_SOURCE || (source >= 0 && static_cast<std::size_t>(source) < communicator->peers.size()));
    return asks && goes_on_repeating(function, return_address);
}

}  // namespace dampi::piggyback
