// The functions of the fake MPI library. Those with large counts are the same as the others.
#include "tests/unit/piggyback/distributed/fake_mpi.hpp"

#include <cstdio>
#include <vector>

#include <mpi.h>

using dampi::piggyback::distributed::FakeMpi;
using dampi::piggyback::distributed::write_status;
using Kind = FakeMpi::Kind;

namespace {

FakeMpi& mpi() { return FakeMpi::current(); }

/// Which of the requests are over.
std::vector<int> over(int count, const MPI_Request requests[]) {
    std::vector<int> found;
    for (int i = 0; i < count; ++i) {
        const auto* operation = requests[i] == MPI_REQUEST_NULL ? nullptr : mpi().find(requests[i]);
        if (operation != nullptr && operation->active && operation->complete) {
            found.push_back(i);
        }
    }
    return found;
}

int active(int count, const MPI_Request requests[]) {
    int found = 0;
    for (int i = 0; i < count; ++i) {
        const auto* operation = requests[i] == MPI_REQUEST_NULL ? nullptr : mpi().find(requests[i]);
        found += operation != nullptr && operation->active ? 1 : 0;
    }
    return found;
}

MPI_Status* at(MPI_Status* statuses, int i) {
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

}  // namespace

#define DAMPI_ENTER()                                 \
    if (const auto refused = mpi().enter(__func__)) { \
        return *refused;                              \
    }

// ---- requests
// --------------------------------------------------------------------------------------------------------

int PMPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    DAMPI_ENTER()
    mpi().look();
    *flag = mpi().is_over(*request) ? 1 : 0;
    if (*flag != 0) {
        mpi().finish(request, status);
    }
    return MPI_SUCCESS;
}

int PMPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
    DAMPI_ENTER()
    mpi().look();
    *flag = active(count, requests) == static_cast<int>(over(count, requests).size()) ? 1 : 0;
    for (int i = 0; *flag != 0 && i < count; ++i) {
        mpi().finish(&requests[i], at(statuses, i));
    }
    return MPI_SUCCESS;
}

int PMPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
    DAMPI_ENTER()
    mpi().look();
    const auto completed = over(count, requests);
    *index = completed.empty() ? MPI_UNDEFINED : completed.front();
    *flag = !completed.empty() || active(count, requests) == 0 ? 1 : 0;
    if (!completed.empty()) {
        mpi().finish(&requests[*index], status);
    }
    return MPI_SUCCESS;
}

int PMPI_Testsome(int count, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
    DAMPI_ENTER()
    mpi().look();
    const auto completed = over(count, requests);
    *outcount = active(count, requests) == 0 ? MPI_UNDEFINED : static_cast<int>(completed.size());
    for (std::size_t i = 0; i < completed.size(); ++i) {
        indices[i] = completed[i];
        mpi().finish(&requests[completed[i]], at(statuses, static_cast<int>(i)));
    }
    return MPI_SUCCESS;
}

int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
    DAMPI_ENTER()
    while (!mpi().is_over(*request)) {
        mpi().look();
    }
    mpi().finish(request, status);
    return MPI_SUCCESS;
}

int PMPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    DAMPI_ENTER()
    mpi().look();
    *flag = mpi().is_over(request) ? 1 : 0;
    if (*flag != 0) {
        mpi().tell(request, status);
    }
    return MPI_SUCCESS;
}

int PMPI_Request_free(MPI_Request* request) {
    DAMPI_ENTER()
    mpi().forget(request);
    return MPI_SUCCESS;
}

int PMPI_Cancel(MPI_Request* request) {
    DAMPI_ENTER()
    mpi().cancel(*request);
    return MPI_SUCCESS;
}

int PMPI_Start(MPI_Request* request) {
    DAMPI_ENTER()
    mpi().begin(*request);
    return MPI_SUCCESS;
}

int PMPI_Grequest_start(MPI_Grequest_query_function* /*query*/, MPI_Grequest_free_function* /*release*/,
                        MPI_Grequest_cancel_function* /*cancel*/, void* /*state*/, MPI_Request* request) {
    DAMPI_ENTER()
    *request = mpi().start({.kind = Kind::generalized});
    return MPI_SUCCESS;
}

int PMPI_Grequest_complete(MPI_Request request) {
    DAMPI_ENTER()
    mpi().find(request)->complete = true;
    return MPI_SUCCESS;
}

// ---- receives
// --------------------------------------------------------------------------------------------------------

int PMPI_Irecv(void* /*buf*/, int /*count*/, MPI_Datatype /*datatype*/, int source, int tag, MPI_Comm comm,
               MPI_Request* request) {
    DAMPI_ENTER()
    return mpi().receive(request, source, tag, comm);
}
int PMPI_Recv_init(void* /*buf*/, int /*count*/, MPI_Datatype /*datatype*/, int source, int tag, MPI_Comm comm,
                   MPI_Request* request) {
    DAMPI_ENTER()
    return mpi().receive(request, source, tag, comm, true);
}

// ---- probes
// ----------------------------------------------------------------------------------------------------------

int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
    DAMPI_ENTER()
    mpi().look();
    const auto* message = mpi().unexpected(source, tag, comm);
    *flag = message != nullptr ? 1 : 0;
    if (message != nullptr) {
        write_status(status, *message, false);
    }
    return MPI_SUCCESS;
}

int PMPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* handle, MPI_Status* status) {
    DAMPI_ENTER()
    mpi().look();
    const auto* message = mpi().unexpected(source, tag, comm);
    *flag = message != nullptr ? 1 : 0;
    *handle = MPI_MESSAGE_NULL;
    if (message != nullptr) {
        write_status(status, *message, false);
        *handle = mpi().take(message);
    }
    return MPI_SUCCESS;
}

int PMPI_Imrecv(void* /*buf*/, int /*count*/, MPI_Datatype /*datatype*/, MPI_Message* handle, MPI_Request* request) {
    DAMPI_ENTER()
    const auto message = mpi().taken(handle);
    *request = mpi().start({.kind = Kind::generalized});
    auto& operation = *mpi().find(*request);
    operation.kind = Kind::receive;
    operation.message = message;
    operation.complete = true;
    return MPI_SUCCESS;
}

// ---- sends
// -----------------------------------------------------------------------------------------------------------

#define DAMPI_FAKE_SEND(name, persistent)                                                                    \
    int PMPI_##name(const void* /*buf*/, int /*count*/, MPI_Datatype /*datatype*/, int destination, int tag, \
                    MPI_Comm /*comm*/, MPI_Request* request) {                                               \
        DAMPI_ENTER()                                                                                        \
        return mpi().send(#name, request, destination, tag, persistent);                                     \
    }
DAMPI_FAKE_SEND(Isend, false)
DAMPI_FAKE_SEND(Issend, false)
DAMPI_FAKE_SEND(Ibsend, false)
DAMPI_FAKE_SEND(Irsend, false)
DAMPI_FAKE_SEND(Send_init, true)
DAMPI_FAKE_SEND(Ssend_init, true)
DAMPI_FAKE_SEND(Bsend_init, true)
DAMPI_FAKE_SEND(Rsend_init, true)
#undef DAMPI_FAKE_SEND

// ---- the rest
// --------------------------------------------------------------------------------------------------------

int PMPI_Type_size_x(MPI_Datatype datatype, MPI_Count* size) {
    DAMPI_ENTER()
    *size = (datatype & 0xff00) >> 8;  // as MPICH names its predefined types
    return MPI_SUCCESS;
}
int PMPI_Type_get_envelope_c(MPI_Datatype /*datatype*/, MPI_Count* integers, MPI_Count* addresses,
                             MPI_Count* large_counts, MPI_Count* datatypes, int* combiner) {
    DAMPI_ENTER()
    *integers = *addresses = *large_counts = *datatypes = 0;
    *combiner = MPI_COMBINER_NAMED;
    return MPI_SUCCESS;
}
int PMPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count* lower, MPI_Count* extent) {
    *lower = 0;
    return PMPI_Type_size_x(datatype, extent);
}
int PMPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count* lower, MPI_Count* extent) {
    return PMPI_Type_get_extent_x(datatype, lower, extent);
}
int PMPI_Error_string(int code, char* text, int* length) {
    DAMPI_ENTER()
    *length = std::snprintf(text, MPI_MAX_ERROR_STRING, "error %d of the fake", code);
    return MPI_SUCCESS;
}
int PMPI_Type_dup(MPI_Datatype datatype, MPI_Datatype* copy) {
    DAMPI_ENTER()
    *copy = datatype;
    return MPI_SUCCESS;
}
int PMPI_Type_free(MPI_Datatype* datatype) {
    DAMPI_ENTER()
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}
int PMPI_Status_set_elements(MPI_Status* status, MPI_Datatype /*datatype*/, int count) {
    DAMPI_ENTER()
    status->count_lo = count;
    return MPI_SUCCESS;
}
int PMPI_Status_set_cancelled(MPI_Status* status, int flag) {
    DAMPI_ENTER()
    status->count_hi_and_cancelled = flag;
    return MPI_SUCCESS;
}

// Collectives come to pass at once: the layer has waited for those that this rank gets data from.
int PMPI_Barrier(MPI_Comm /*comm*/) {
    DAMPI_ENTER()
    return MPI_SUCCESS;
}
int PMPI_Bcast(void* /*buf*/, int /*count*/, MPI_Datatype /*datatype*/, int /*root*/, MPI_Comm /*comm*/) {
    DAMPI_ENTER()
    return MPI_SUCCESS;
}
int PMPI_Reduce(const void* /*from*/, void* /*to*/, int /*count*/, MPI_Datatype /*datatype*/, MPI_Op /*op*/,
                int /*root*/, MPI_Comm /*comm*/) {
    DAMPI_ENTER()
    return MPI_SUCCESS;
}
int PMPI_Allreduce(const void* /*from*/, void* /*to*/, int /*count*/, MPI_Datatype /*datatype*/, MPI_Op /*op*/,
                   MPI_Comm /*comm*/) {
    DAMPI_ENTER()
    return MPI_SUCCESS;
}
int PMPI_Allgather(const void* /*from*/, int /*sent*/, MPI_Datatype /*sent_type*/, void* /*to*/, int /*received*/,
                   MPI_Datatype /*received_type*/, MPI_Comm /*comm*/) {
    DAMPI_ENTER()
    return MPI_SUCCESS;
}
int PMPI_Ibarrier(MPI_Comm /*comm*/, MPI_Request* request) {
    DAMPI_ENTER()
    *request = mpi().start({.kind = Kind::generalized});
    return MPI_SUCCESS;
}
int PMPI_Ibcast(void* /*buf*/, int /*count*/, MPI_Datatype /*datatype*/, int /*root*/, MPI_Comm /*comm*/,
                MPI_Request* request) {
    DAMPI_ENTER()
    *request = mpi().start({.kind = Kind::generalized});
    return MPI_SUCCESS;
}
int PMPI_Barrier_init(MPI_Comm /*comm*/, MPI_Info /*info*/, MPI_Request* request) {
    DAMPI_ENTER()
    *request = mpi().start({.kind = Kind::generalized, .persistent = true});
    return MPI_SUCCESS;
}

// ---- communicators

/// Nobody has given a hint.
int PMPI_Comm_get_info(MPI_Comm /*comm*/, MPI_Info* /*info*/) { return MPI_ERR_OTHER; }

// What the MPI library does with an error: the fake's functions return theirs without it.
extern "C" int __real_MPIR_Err_return_comm(void* /*comm*/, const char* /*function*/, int code) { return code; }
extern "C" int __real_MPIR_Err_return_win(void* /*win*/, const char* /*function*/, int code) { return code; }
