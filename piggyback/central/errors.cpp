// MPICH makes codes with a function that its library exports. Whether arguments make sense MPI says itself, in a quiet
// call with MPI_PROC_NULL.
#include "piggyback/central/errors.hpp"

#include "piggyback/central/wrapping.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/next_function.hpp"
#include "piggyback/rank/resources/held_datatype.hpp"

#include <climits>
#include <cstdint>

namespace dampi::piggyback::central {
namespace {

/// MPIR_Err_create_code: (last code, fatal, function, line, class, sentence, sentence with arguments, …).
using CreateCode = int(int, int, const char*, int, int, const char*, const char*, ...);

struct Kind {
    int error_class;
    const char* plain;
    const char* specific;  ///< null: none
};

Kind kind_of(Wrong wrong) {
    switch (wrong) {
        case Wrong::rank:
            return {MPI_ERR_RANK, "**rank", "**rank %d %d"};
        case Wrong::root:
            return {MPI_ERR_ROOT, "**root", "**root %d"};
        case Wrong::truncate:
            return {MPI_ERR_TRUNCATE, "**truncate", "**truncate %d %d %d %d"};
        case Wrong::request:
            return {MPI_ERR_REQUEST, "**request", nullptr};
        case Wrong::aliased_buffers:
            return {MPI_ERR_BUFFER, "**bufalias", nullptr};
        case Wrong::buffer_too_small:
            return {MPI_ERR_BUFFER, "**bufbsend", "**bufbsend %d %d"};
        case Wrong::null_pointer:
            return {MPI_ERR_ARG, "**nullptr", nullptr};
        case Wrong::null_buffer:
            return {MPI_ERR_BUFFER, "**bufnull", nullptr};
        case Wrong::group:
            return {MPI_ERR_GROUP, "**group", nullptr};
        case Wrong::no_group:
            return {MPI_ERR_GROUP, "**groupnull", nullptr};
        case Wrong::rank_of_group:
            return {MPI_ERR_RANK, "**rankarray", "**rankarray %d %d %d"};
        case Wrong::repeated_rank:
            return {MPI_ERR_RANK, "**rankdup", "**rankdup %d %d %d"};
        case Wrong::topology:
            return {MPI_ERR_TOPOLOGY, "**notcarttopo", nullptr};
        case Wrong::dimensions:
            return {MPI_ERR_DIMS, "**dims", nullptr};
        case Wrong::argument:
            return {MPI_ERR_ARG, "**arg", nullptr};
        case Wrong::communicator:
            return {MPI_ERR_COMM, "**comm", nullptr};
        case Wrong::in_status:
            return {MPI_ERR_IN_STATUS, "**instatus", nullptr};
        case Wrong::started:
            return {MPI_ERR_REQUEST, "**requestpersistactive", nullptr};
        case Wrong::not_persistent:
            return {MPI_ERR_REQUEST, "**requestinvalidstart", nullptr};
        case Wrong::group_of_others:
            return {MPI_ERR_GROUP, "**groupnotincomm", nullptr};
    }
    return {MPI_ERR_OTHER, "**other", nullptr};
}

CreateCode* create_code() {
    static auto* const found = next_function<CreateCode*>("MPIR_Err_create_code", "libmpich.so.12");
    return found;
}

}  // namespace

int code_of(const Call& call, Wrong wrong, int first, int second, int third, int fourth) {
    const Kind kind = kind_of(wrong);
    constexpr int recoverable = 0;
    return create_code()(MPI_SUCCESS, recoverable, call.function(), 0, kind.error_class, kind.plain, kind.specific,
                         first, second, third, fourth);
}

int code_of_difference(const Call& call, const char* parameter) {
    constexpr int recoverable = 0;
    return create_code()(MPI_SUCCESS, recoverable, call.function(), 0, MPI_ERR_ARG, "**notsame", "**notsame %s %s",
                         parameter, call.function());
}

int deliver(const Call& call, MPI_Comm comm, int code) {
    if (code == MPI_SUCCESS) {
        return code;
    }
    note_error(call, code);
    const MPI_Comm place = comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm;
    Layer& layer = *Layer::current();
    const Call::ProgramRuns handler(call);
    const std::int32_t before = layer.board().failing.exchange(code, std::memory_order_release);
    PMPI_Comm_call_errhandler(place, code);
    layer.board().failing.store(before, std::memory_order_release);
    return code;
}

bool is_delivering() { return Layer::current()->board().failing.load(std::memory_order_relaxed) != 0; }

int raise(const Call& call, MPI_Comm comm, Wrong wrong, int first, int second, int third, int fourth) {
    return deliver(call, comm, code_of(call, wrong, first, second, third, fourth));
}

int refuse_null(const Call& call, MPI_Comm comm) noexcept {
    const bool exists = Layer::current()->communicators.find(comm) != nullptr;
    return raise(call, exists ? comm : MPI_COMM_NULL, Wrong::null_pointer);
}

int refuse_null_buffer(const Call& call, MPI_Comm comm) noexcept { return raise(call, comm, Wrong::null_buffer); }

int check_data(const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Comm comm) {
    type = held_datatype(type);  // one of an array
    // MPICH keeps the kind of a handle in its upper bits: a predefined type needs no closer look.
    if (buffer != nullptr && count >= 0 && static_cast<unsigned>(type) >> 30 == 1) {
        return MPI_SUCCESS;
    }
    const QuietErrors quiet;
    return count <= INT_MAX && count >= INT_MIN
               ? PMPI_Send(buffer, static_cast<int>(count), type, MPI_PROC_NULL, 0, comm)
               : PMPI_Send_c(buffer, count, type, MPI_PROC_NULL, 0, comm);
}

int check_operator(MPI_Op op, MPI_Datatype type) {
    const QuietErrors quiet;
    char one = 0;
    char other = 0;
    return PMPI_Reduce_local(&one, &other, 0, type, op);
}

}  // namespace dampi::piggyback::central
