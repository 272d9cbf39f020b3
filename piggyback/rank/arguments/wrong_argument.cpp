#include "piggyback/rank/arguments/wrong_argument.hpp"

#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/communicators/being_made.hpp"
#include "piggyback/rank/communicators/past_communicators.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/python_places.hpp"
#include "piggyback/rank/thread_lock.hpp"
#include "replay/misuse.hpp"

#include <cstdint>

#include <dlfcn.h>

namespace dampi::piggyback {
namespace {

/// MPIR_Err_create_code: (last code, fatal, function, line, class, sentence, sentence with arguments, …).
using CreateCode = int(int, int, const char*, int, int, const char*, const char*, ...);

const char* sentence_about(int error_class) {
    switch (error_class) {
        case MPI_ERR_BUFFER:
            return "**bufnull";
        case MPI_ERR_COUNT:
            return "**countneg";
        case MPI_ERR_TYPE:
            return "**dtype";
        case MPI_ERR_COMM:
            return "**comm";
        case MPI_ERR_RANK:
            return "**rank";
        case MPI_ERR_GROUP:
            return "**group";
        case MPI_ERR_OP:
            return "**op";
        case MPI_ERR_INFO:
            return "**info";
        case MPI_ERR_TOPOLOGY:
            return "**topology";
        case MPI_ERR_KEYVAL:
            return "**keyvalinvalid";
        case MPI_ERR_WIN:
            return "**win";
        case MPI_ERR_FILE:
            return "**iobadfh";
        default:
            return "**arg";
    }
}

/// MPI's code for it; the class where the library does not let us make one.
int code_of(const char* function, int error_class) {
    static auto* const create = reinterpret_cast<CreateCode*>(dlsym(RTLD_DEFAULT, "MPIR_Err_create_code"));
    constexpr int recoverable = 0;
    return create == nullptr
               ? error_class
               : create(MPI_SUCCESS, recoverable, function, 0, error_class, sentence_about(error_class), nullptr);
}

template <typename Call>
int fail(Layer& layer, int code, Call&& call_handler) {
    const std::int32_t before = layer.board().failing.exchange(code, std::memory_order_release);
    call_handler();
    layer.board().failing.store(before, std::memory_order_release);
    return code;
}

int hand_over(Layer& layer, MPI_File file, int code) {
    // Errors of files that are none are handed to it as well.
    const bool is_none = replay::error_class_of(code) == MPI_ERR_FILE;
    return fail(layer, code, [&] { PMPI_File_call_errhandler(is_none ? MPI_FILE_NULL : file, code); });
}

int hand_over(Layer& layer, MPI_Comm comm, int code) {
    if (replay::error_class_of(code) == MPI_ERR_FILE) {
        return hand_over(layer, MPI_FILE_NULL, code);
    }
    const bool exists = layer.communicators.find(comm) != nullptr && !is_being_made(comm);
    return fail(layer, code, [&] { PMPI_Comm_call_errhandler(exists ? comm : MPI_COMM_WORLD, code); });
}

template <typename Place>
int refuse(const Call& call, Place place, const WrongArgument& argument) {
    note_argument(call, argument);
    const Call::ProgramRuns handler(call);
    return hand_over(*Layer::current(), place, code_of(call.function(), argument.error_class));
}

template <typename Place>
int refuse(PassedCall& look, const Function& function, const void* arguments, const void* return_address, Place place,
           const WrongArgument& argument) {
    note_argument(look, function, arguments, return_address, argument);
    look.unlock();
    return hand_over(*Layer::current(), place, code_of(function.name, argument.error_class));
}

FailedCall failed_passing(const Function& function, const void* arguments, const void* return_address) {
    const std::uint64_t script = python_site_if_any();
    return {.function = function.name,
            .site = script != 0 ? script : program_site(return_address),
            .wrapped = &function,
            .arguments = arguments};
}

}  // namespace

bool wrong_argument_detail::is_kept(MPI_Comm handle) noexcept {
    bool found = false;
    if (past_communicator(handle) != nullptr) {
        Layer::current()->requests.for_each([&](const Request& request) {
            const bool is_message = request.kind == RequestKind::send || request.kind == RequestKind::receive;
            found = found || (is_message && request.persistent && !request.partitioned && !request.freed &&
                              request.communicator != nullptr && request.communicator->handle == handle);
        });
    }
    return found;
}

PassedCall::PassedCall(const void* return_address) noexcept {
    const Layer* layer = Layer::current();
    const bool is_own = layer != nullptr && Call::current() == nullptr && !is_library_place(return_address);
    programs_ = is_own && layer->active();
    late_ = is_own && !layer->active();
    if (programs_ && layer->locks_calls) {
        lock_threads();
        locked_ = true;
    }
}

PassedCall::~PassedCall() { unlock(); }

void PassedCall::unlock() noexcept {
    if (locked_) {
        unlock_threads();
        locked_ = false;
    }
}

NotedCall::NotedCall(const char* function, const void* return_address) noexcept {
    const Layer* layer = Layer::current();
    noted_ = layer != nullptr && layer->active() && Call::current() == nullptr && !is_library_place(return_address);
    if (noted_) {
        const std::uint64_t script = python_site_if_any();
        Call::note_last(function, script != 0 ? script : program_site(return_address));
    }
}

NotedCall::~NotedCall() {
    if (noted_) {
        Call::note_last({}, 0);
    }
}

void note_argument(const Call& call, const WrongArgument& argument) noexcept {
    note_wrong(*Layer::current(), {.function = call.function(), .site = call.site(), .described = &call},
               argument.error_class, {argument.position, argument.wrong});
}

void note_argument(PassedCall& /*look*/, const Function& function, const void* arguments, const void* return_address,
                   const WrongArgument& argument) noexcept {
    Layer& layer = *Layer::current();
    log_python_places(layer);
    note_wrong(layer, failed_passing(function, arguments, return_address), argument.error_class,
               {argument.position, argument.wrong});
}

void note_unusual(const Call& call, const WrongArgument& argument) noexcept {
    note_unusual(*Layer::current(), {.function = call.function(), .site = call.site(), .described = &call},
                 {argument.position, argument.wrong});
}

void note_unusual(PassedCall& /*look*/, const Function& function, const void* arguments, const void* return_address,
                  const WrongArgument& argument) noexcept {
    Layer& layer = *Layer::current();
    log_python_places(layer);
    note_unusual(layer, failed_passing(function, arguments, return_address), {argument.position, argument.wrong});
}

int refuse_argument(const Call& call, MPI_Comm comm, const WrongArgument& argument) noexcept {
    return refuse(call, comm, argument);
}

int refuse_argument(const Call& call, MPI_File file, const WrongArgument& argument) noexcept {
    return refuse(call, file, argument);
}

int refuse_argument(PassedCall& look, const Function& function, const void* arguments, const void* return_address,
                    MPI_Comm comm, const WrongArgument& argument) noexcept {
    return refuse(look, function, arguments, return_address, comm, argument);
}

int refuse_argument(PassedCall& look, const Function& function, const void* arguments, const void* return_address,
                    MPI_File file, const WrongArgument& argument) noexcept {
    return refuse(look, function, arguments, return_address, file, argument);
}

}  // namespace dampi::piggyback
