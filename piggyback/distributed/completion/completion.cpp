// Completion of requests that leaves no choice: MPI_Wait and MPI_Waitall; starting and freeing requests.
//
// A blocking wait is its testing twin in a loop, so that a blocked rank can be seen and yields its core.
// Requests that the layer does not follow (of one-sided communication, files, ...) are completed alike.

#include "piggyback/distributed/collectives/collectives.hpp"
#include "piggyback/distributed/completion/request_array.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/matching/outgoing.hpp"
#include "piggyback/distributed/matching/starting.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/attached_room.hpp"
#include "piggyback/rank/buffers/used_buffers.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/errors/held_error.hpp"
#include "piggyback/rank/freed_requests.hpp"
#include "piggyback/rank/resources/access_requests.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dampi::piggyback::distributed {
namespace {

int start_persistent(DistributedLayer& layer, const Call& call, Request& request, MPI_Request* handle) {
    if (request.kind == RequestKind::receive) {
        return start_receive(layer, call, request);
    }
    int result = MPI_SUCCESS;
    if (request.kind == RequestKind::collective) {
        start_collective(layer, call, request);
        result = PMPI_Start(handle);
    } else if (request.partitioned) {
        result = PMPI_Start(handle);
        request.make_special().ready.assign(request.special().ready.size(), false);  // it is sent when all are
    } else if (request.never_active) {
        result = PMPI_Irecv(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_SELF, &request.started);
    } else if (request.peer == MPI_PROC_NULL) {
        result = PMPI_Start(handle);
    } else {
        Remarks remarks;
        if (request.ready) {
            remarks = remarks_on_ready(layer);
        } else if (const auto& bytes = request.special().buffered_bytes) {
            remarks = remarks_on_buffered(layer, call, *bytes);
        }
        remarks.data = request.special().data;
        const Outgoing outgoing =
            append_envelope(layer, call, *request.communicator, request.peer, request.tag, request.way, remarks);
        const Carried carried(value_of(layer, outgoing));
        if (request.way == Way::copied) {
            result = send_copy(layer, request.special().buffer, request.special().count, request.special().datatype,
                               request.peer, request.tag, request.communicator->handle);
        }
        if (result == MPI_SUCCESS) {
            result = PMPI_Start(handle);
        }
        if (result != MPI_SUCCESS) {
            withdraw(layer, outgoing);
            withdraw_buffered(layer, remarks);
            return result;
        }
        request.outgoing = outgoing;
        request.values = {};
        if (is_synchronous(request.way)) {
            request.values.bind(*handle);
        }
    }
    request.active = result == MPI_SUCCESS;
    return result;
}

int start_request(DistributedLayer& layer, const Call& call, MPI_Request* handle) {
    Request* request = layer.requests.find(*handle);
    if (request == nullptr || !request->persistent || request->active) {
        note_used_up(layer, *handle);
        return PMPI_Start(handle);
    }
    // The partitions of a send are the program's until all of them are ready (partitioned.cpp).
    const bool uses_buffers = !request->partitioned || request->kind == RequestKind::receive;
    const bool overlaps = uses_buffers && begin_persistent(layer, call, *request);
    if (request->partitioned && request->kind == RequestKind::receive) {
        request->make_special().ready.assign(request->special().ready.size(), false);
    }
    const int result = start_persistent(layer, call, *request, handle);
    request->was_started = request->was_started || result == MPI_SUCCESS;
    if (result == MPI_SUCCESS && uses_buffers) {
        keep_started(layer, *request, Arrival::at_any_time, overlaps);
    }
    return result;
}

}  // namespace

}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {

int wait(Call& call, MPI_Request* request, MPI_Status* status) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    RequestArray array(layer, 1, request);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    HeldError error;
    Waiting waiting(
        layer, call, [&](WaitDescription& description) { array.describe(description); }, Ends::by_mpi);
    OneWaits only(layer, call, array);
    for (;;) {
        int flag = 0;
        const int result = PMPI_Test(array.native(), &flag, used);
        if (flag != 0 || result != MPI_SUCCESS) {
            only.end();
            if (flag != 0 || *array.native() == MPI_REQUEST_NULL) {
                layer.clocks.learn(array.finish(call, {.position = 0, .status = used}));
            }
            return error.hand_over(array.result(result));
        }
        waiting.pause();
    }
}

int waitall(Call& call, int count, MPI_Request* requests, MPI_Status* statuses) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    RequestArray array(layer, count, requests);
    StatusArray used(count, statuses);
    HeldError error;
    Waiting waiting(
        layer, call, [&](WaitDescription& description) { array.describe(description); }, Ends::by_mpi);
    OneWaits only(layer, call, array);
    for (;;) {
        int flag = 0;
        int result = MPI_SUCCESS;
        if (array.must_wait_natively()) {
            only.end();
            // Nobody can say how long files take, or when accesses to windows end.
            const BlockedInLibrary blocked(
                layer, call,
                {.kind = array.foreign() != 0 ? transport::WaitKind::foreign : transport::WaitKind::other});
            result = Call::unlocked([&] { return PMPI_Waitall(count, array.native(), used.data()); });
            flag = 1;
        } else if (array.may_be_complete()) {
            result = array.test_all(&flag, used.data());
        }
        if (flag != 0 || result != MPI_SUCCESS) {
            only.end();
            if (result == MPI_SUCCESS) {
                array.clear_codes(used.data());
            }
            const auto completed = result == MPI_SUCCESS ? array.all(used.data()) : array.gone(used.data());
            note_failed(call, result, completed);
            array.finish_and_learn(call, completed);
            return error.hand_over(array.result(result, completed));
        }
        waiting.pause();
    }
}

int start(Call& call, MPI_Request* request) noexcept {
    return start_request(*DistributedLayer::current(), call, request);
}

int startall(Call& call, int count, MPI_Request* requests) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    if (count < 0 ||
        std::any_of(requests, requests + count, [](MPI_Request request) { return request == MPI_REQUEST_NULL; })) {
        return PMPI_Startall(count, requests);  // refused as a whole
    }
    for (int i = 0; i < count; ++i) {
        const int result = start_request(layer, call, &requests[i]);
        if (result != MPI_SUCCESS) {
            return result;
        }
    }
    return MPI_SUCCESS;
}

int request_free(Call& call, MPI_Request* handle) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Request* request = layer.requests.find(*handle);
    if (request == nullptr || request->freed) {
        note_used_up(layer, *handle);
    }
    if (request == nullptr) {
        if (access_requests().remove(*handle)) {
            layer.requests.remove_apart(*handle);
        }
        return PMPI_Request_free(handle);
    }
    check_arrays(layer, call, *request);
    if (request->kind == RequestKind::receive) {
        note_freed(call, *request, FreedMessage::receive);
    } else if (request->kind == RequestKind::send && request->peer != MPI_PROC_NULL) {
        note_freed(call, *request, FreedMessage::send);
    }
    if (request->kind == RequestKind::receive && request->active) {
        layer.freed_receives.take(layer.pending_buffers, *request);
    } else {
        request->release_buffers();  // when they are used no more the program will not know
    }
    const bool matches = request->kind == RequestKind::receive || request->kind == RequestKind::pair;
    const bool could_have_been_reported = request->kind == RequestKind::send && !request->special().candidacies.empty();
    if ((matches || could_have_been_reported) && request->active) {
        // MPI's request is kept: what it matches, and whether it completes, must still be known.
        request->freed = true;
        *handle = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    if (request->special().datatype != MPI_DATATYPE_NULL) {
        PMPI_Type_free(&request->make_special().datatype);
    }
    if (request->kind == RequestKind::send && request->active) {
        request->values.unbind(*handle);
        if (request->started != MPI_REQUEST_NULL) {
            PMPI_Request_free(&request->started);
        }
    }
    layer.requests.remove(*handle);
    return PMPI_Request_free(handle);
}

namespace {

int attached(int result, std::uint64_t room) {
    if (result == MPI_SUCCESS) {
        DistributedLayer::current()->attached = room;
    }
    return result;
}

template <typename Native>
int detach(const Call& call, Native&& native) {
    // Waits for messages that are still in the buffer: a receiver must take them.
    const int result = blocked_in_library(call, native);
    if (result == MPI_SUCCESS) {
        DistributedLayer::current()->attached = 0;
        DistributedLayer::current()->buffered.clear();
    }
    return result;
}

}  // namespace

int buffer_attach(Call& /*call*/, void* buffer, int size) noexcept {
    return attached(PMPI_Buffer_attach(buffer, size), room_of_buffer(buffer, size));
}

int buffer_attach_c(Call& /*call*/, void* buffer, MPI_Count size) noexcept {
    return attached(PMPI_Buffer_attach_c(buffer, size), room_of_buffer(buffer, size));
}

int buffer_detach(Call& call, void* buffer, int* size) noexcept {
    return detach(call, [&] { return PMPI_Buffer_detach(buffer, size); });
}

int buffer_detach_c(Call& call, void* buffer, MPI_Count* size) noexcept {
    return detach(call, [&] { return PMPI_Buffer_detach_c(buffer, size); });
}

}  // namespace dampi::piggyback::distributed::calls
