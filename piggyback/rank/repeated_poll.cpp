#include "piggyback/rank/repeated_poll.hpp"

#include "piggyback/rank/layer.hpp"
#include "piggyback/rank/repetition.hpp"

#include <cstddef>

namespace dampi::piggyback {

bool repeats_poll(const char* function, const void* return_address, int count, const MPI_Request* requests) noexcept {
    Requests& known = Layer::current()->requests;
    bool may_come = false, all_known = true;
    for (int i = 0; i < count; ++i) {
        const Request* request = known.find(requests[i]);
        if (requests[i] != MPI_REQUEST_NULL && request == nullptr) {
            all_known = false;
        }
        may_come = may_come || (request != nullptr && request->active && !request->told);
    }
    return goes_on_repeating(function, return_address, all_known && may_come);
}

bool repeats_poll(const char* function, const void* return_address, MPI_Comm comm, int source) noexcept {
    const Communicator* communicator = Layer::current()->communicators.look_up(comm);
    const bool asks =
        communicator != nullptr &&
        (source == MPI_ANY_SOURCE || (source >= 0 && static_cast<std::size_t>(source) < communicator->peers.size()));
    return goes_on_repeating(function, return_address, asks);
}

}  // namespace dampi::piggyback
