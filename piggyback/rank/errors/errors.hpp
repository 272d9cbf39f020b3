// Calls that MPI refuses: what the program did wrong becomes a violation, whatever MPI and the program make of it (a
// code, the program's error handler, the end of the program). Codes that stand for conditions which a correct program
// may meet are left alone. Per place and kind a rank records one.
#pragma once

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/errors/quiet_errors.hpp"
#include "piggyback/rank/layer.hpp"
#include "replay/violation_kind.hpp"
#include "transport/log.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <mpi.h>

namespace dampi::piggyback {

/// A call as a finding shows it.
struct FailedCall {
    const char* function = "";
    std::uint64_t site = 0;
    const Call* described = nullptr;    ///< puts its arguments into words; null: `wrapped` does
    const Function* wrapped = nullptr;  ///< of a call that has no Call
    const void* arguments = nullptr;
};

/// What a call of a function with a wrapper returns to the program: an error that means misuse is recorded.
void note_returned_error(const Call& call, int code) noexcept;
inline int returned(const Call& call, int code) noexcept {
    if (code != MPI_SUCCESS) [[unlikely]] {
        note_returned_error(call, code);
    }
    return code;
}

/// The call has given the program this request. One that the layer does not follow is forgotten as a used one.
inline void note_handed_out(const Call& call, MPI_Request request) noexcept {
    if (call.modelled()) {
        Layer::current()->requests.handed_out(request);
    }
}

/// The arguments of the call in words.
std::string arguments_of(Layer& layer, const FailedCall& failed);

/// Says which argument of a call is wrong, by its position from 0, and how.
struct Blame {
    unsigned position = 0;
    std::string_view wrong;  ///< empty: MPI says it
};

/// Records that the call was used wrongly, as errors of this class say.
void note_wrong(Layer& layer, const FailedCall& failed, int error_class, const Blame& blame);

/// Records the violation that the error code stands for, if any.
void note_error(Layer& layer, const FailedCall& failed, int code);
void note_error(const Call& call, int code) noexcept;

/// Records one that MPI does not see. `what` says what is wrong, after "MPI_Wait was called with".
/// `other`: a call that it is about, too; none without a name.
void note_misuse(const Call& call, replay::ViolationKind kind, std::string_view what,
                 const transport::OtherCallFields& other = {}) noexcept;

/// Notes that the argument is legal, but unusual (--warn unusual).
void note_unusual(Layer& layer, const FailedCall& failed, const Blame& blame);

/// What is wrong with a buffered send that needs `needed` bytes of the attached buffer, of which `taken` may be held by
/// `messages` earlier ones.
std::string no_room_text(std::uint64_t needed, std::uint64_t attached, std::uint64_t taken, std::size_t messages);

/// The program's present call uses the request: a misuse if the program has it no more.
void note_used_up(Layer& layer, MPI_Request handle) noexcept;

/// A function that the layer only passes through has failed. `return_address` is that of its wrapper.
void note_failed_passing(const Function& function, const void* arguments, int code,
                         const void* return_address) noexcept;

/// A function that is passed through has given the program this request, whose handle may be that of one that the layer
/// has followed before.
void note_passed_request(MPI_Request request) noexcept;

/// What MPI says of a request, as MPI_Request_get_status; an error of it is left to the call that completes it.
inline int peek(MPI_Request request, int* flag, MPI_Status* status) noexcept {
    const QuietErrors quiet;
    return PMPI_Request_get_status(request, flag, status);
}

/// Whether MPI takes the datatype as one that data can be sent with.
bool is_committed(MPI_Comm comm, MPI_Datatype datatype) noexcept;

}  // namespace dampi::piggyback
