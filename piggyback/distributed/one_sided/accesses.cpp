// Accesses to windows pass through. Of those that other ranks may make to the same place at the same time results can
// depend on the order; of the others only one at a time may be made. Where several may have been, it is noticed
// (conflicts.hpp).
#include "piggyback/distributed/collectives/meeting.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/conflicts.hpp"
#include "piggyback/distributed/one_sided/misuse.hpp"
#include "piggyback/distributed/one_sided/origin_buffers.hpp"
#include "piggyback/interception/calls.hpp"

#include <cstdint>

namespace dampi::piggyback::distributed {
namespace {

enum class Lasts : std::uint8_t {
    until_flushed,
    until_flushed_by_request,  ///< its request says only that this rank's memory is needed no longer
    until_waited,              ///< it has happened when its request is complete
};

/// Makes an access of this kind.
template <typename Native>
int access(const Call& call, MPI_Win win, const TargetBytes& bytes, const AccessKinds& kinds, Lasts lasts,
           const Buffer& sent, const Buffer& received, const MPI_Request* request, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    Window* window = layer.windows.find(win);
    if (window != nullptr && !alone(*window->group)) {
        check_access(layer, call, *window, bytes, kinds, lasts != Lasts::until_flushed);
        if (bytes.target >= 0) {
            const TypedBuffer target{.name = "target", .count = bytes.count, .type = bytes.type};
            if (sent.type != MPI_DATATYPE_NULL) {
                check_types(layer, call, {.name = "origin", .count = sent.count, .type = sent.type}, target);
            }
            if (received.type != MPI_DATATYPE_NULL) {
                check_types(layer, call, target, {.name = "result", .count = received.count, .type = received.type});
            }
        }
    }
    const int result = native();
    AccessRequest* const followed =
        request == nullptr || result != MPI_SUCCESS
            ? nullptr
            : &access_requests().add(*request, {.function = call.function(),
                                                .site = call.site(),
                                                .stack = layer.call_stacks.number_of_few(layer, call.site())});
    if (followed != nullptr) {
        layer.requests.add_apart(*request);
    }
    if (result == MPI_SUCCESS && window == nullptr) {
        call.not_modelled();
    } else if (result == MPI_SUCCESS && bytes.target >= 0 && !alone(*window->group)) {
        note_bytes(layer, call, *window, bytes, kinds);
        note_buffers(layer, call, *window, bytes.target, sent, received, followed);
    }
    return result;
}

constexpr Buffer no_buffer{};

/// Sums and the like are the same in whatever order they are taken.
AccessKinds accumulating(MPI_Op op) {
    return {.kind = AccessKind::accumulate, .operation = op, .ordered = op == MPI_REPLACE || op == MPI_NO_OP};
}

/// What goes with MPI_NO_OP is not looked at.
Buffer sent_with(MPI_Op op, const Buffer& buffer) { return op == MPI_NO_OP ? no_buffer : buffer; }

AccessKinds fetching(MPI_Op op) {
    return {
        .kind = op == MPI_NO_OP ? AccessKind::atomic_read : AccessKind::accumulate, .operation = op, .ordered = true};
}

}  // namespace
}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {

// clang-format off
#define DAMPI_PUT_OR_GET(Name, suffix, name, kind, Address, sent, received, request_lasts, Count)                      \
    int name(Call& call, Address origin_addr, Count origin_count, MPI_Datatype origin_datatype, int target_rank,       \
             MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Win win) noexcept {           \
        const TargetBytes bytes{target_rank, target_disp, target_count, target_datatype};                              \
        [[maybe_unused]] const Buffer origin{origin_addr, origin_count, origin_datatype};                              \
        return access(call, win, bytes, {kind}, Lasts::until_flushed, sent, received, nullptr, [&] {                   \
            return PMPI_##Name##suffix(origin_addr, origin_count, origin_datatype, target_rank, target_disp,           \
                                       target_count, target_datatype, win);                                            \
        });                                                                                                            \
    }                                                                                                                  \
    int r##name(Call& call, Address origin_addr, Count origin_count, MPI_Datatype origin_datatype, int target_rank,    \
                MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Win win,                   \
                MPI_Request* request) noexcept {                                                                       \
        const TargetBytes bytes{target_rank, target_disp, target_count, target_datatype};                              \
        [[maybe_unused]] const Buffer origin{origin_addr, origin_count, origin_datatype};                              \
        return access(call, win, bytes, {kind}, request_lasts, sent, received, request, [&] {                          \
            return PMPI_R##name(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,    \
                                target_datatype, win, request);                                                        \
        });                                                                                                            \
    }
DAMPI_PUT_OR_GET(Put, , put, AccessKind::write, const void*, origin, no_buffer, Lasts::until_flushed_by_request, int)
DAMPI_PUT_OR_GET(Put, _c, put_c, AccessKind::write, const void*, origin, no_buffer, Lasts::until_flushed_by_request,
                 MPI_Count)
DAMPI_PUT_OR_GET(Get, , get, AccessKind::read, void*, no_buffer, origin, Lasts::until_waited, int)
DAMPI_PUT_OR_GET(Get, _c, get_c, AccessKind::read, void*, no_buffer, origin, Lasts::until_waited, MPI_Count)
#undef DAMPI_PUT_OR_GET

#define DAMPI_ACCUMULATE(Name, suffix, name, Count)                                                                    \
    int name(Call& call, const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype, int target_rank,   \
             MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) noexcept {\
        const TargetBytes bytes{target_rank, target_disp, target_count, target_datatype};                              \
        const Buffer origin{origin_addr, origin_count, origin_datatype};                                               \
        return access(call, win, bytes, accumulating(op), Lasts::until_flushed, origin, no_buffer, nullptr, [&] {      \
            return PMPI_##Name##suffix(origin_addr, origin_count, origin_datatype, target_rank, target_disp,           \
                                       target_count, target_datatype, op, win);                                        \
        });                                                                                                            \
    }                                                                                                                  \
    int r##name(Call& call, const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype,                 \
                int target_rank, MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Op op,    \
                MPI_Win win, MPI_Request* request) noexcept {                                                          \
        const TargetBytes bytes{target_rank, target_disp, target_count, target_datatype};                              \
        const Buffer origin{origin_addr, origin_count, origin_datatype};                                               \
        return access(call, win, bytes, accumulating(op), Lasts::until_flushed_by_request, origin, no_buffer, request, \
                      [&] {                                                                                            \
            return PMPI_R##name(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,    \
                                target_datatype, op, win, request);                                                    \
        });                                                                                                            \
    }
DAMPI_ACCUMULATE(Accumulate, , accumulate, int)
DAMPI_ACCUMULATE(Accumulate, _c, accumulate_c, MPI_Count)
#undef DAMPI_ACCUMULATE

#define DAMPI_GET_ACCUMULATE(Name, suffix, name, Count)                                                                \
    int name(Call& call, const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype, void* result_addr, \
             Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,                  \
             Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) noexcept {                      \
        const TargetBytes bytes{target_rank, target_disp, target_count, target_datatype};                              \
        const Buffer origin = sent_with(op, {origin_addr, origin_count, origin_datatype});                             \
        const Buffer result{result_addr, result_count, result_datatype};                                               \
        return access(call, win, bytes, fetching(op), Lasts::until_flushed, origin, result, nullptr, [&] {             \
            return PMPI_##Name##suffix(origin_addr, origin_count, origin_datatype, result_addr, result_count,          \
                                       result_datatype, target_rank, target_disp, target_count, target_datatype, op,   \
                                       win);                                                                           \
        });                                                                                                            \
    }                                                                                                                  \
    int r##name(Call& call, const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype,                 \
                void* result_addr, Count result_count, MPI_Datatype result_datatype, int target_rank,                  \
                MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,        \
                MPI_Request* request) noexcept {                                                                       \
        const TargetBytes bytes{target_rank, target_disp, target_count, target_datatype};                              \
        const Buffer origin = sent_with(op, {origin_addr, origin_count, origin_datatype});                             \
        const Buffer result{result_addr, result_count, result_datatype};                                               \
        return access(call, win, bytes, fetching(op), Lasts::until_flushed_by_request, origin, result, request, [&] {  \
            return PMPI_R##name(origin_addr, origin_count, origin_datatype, result_addr, result_count,                 \
                                result_datatype, target_rank, target_disp, target_count, target_datatype, op, win,     \
                                request);                                                                              \
        });                                                                                                            \
    }
DAMPI_GET_ACCUMULATE(Get_accumulate, , get_accumulate, int)
DAMPI_GET_ACCUMULATE(Get_accumulate, _c, get_accumulate_c, MPI_Count)
#undef DAMPI_GET_ACCUMULATE
// clang-format on

int fetch_and_op(Call& call, const void* origin_addr, void* result_addr, MPI_Datatype datatype, int target_rank,
                 MPI_Aint target_disp, MPI_Op op, MPI_Win win) noexcept {
    return access(call, win, {target_rank, target_disp, 1, datatype}, fetching(op), Lasts::until_flushed,
                  sent_with(op, {origin_addr, 1, datatype}), {result_addr, 1, datatype}, nullptr, [&] {
                      return PMPI_Fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, win);
                  });
}

int compare_and_swap(Call& call, const void* origin_addr, const void* compare_addr, void* result_addr,
                     MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win) noexcept {
    return access(call, win, {target_rank, target_disp, 1, datatype}, fetching(MPI_REPLACE), Lasts::until_flushed,
                  {origin_addr, 1, datatype}, {result_addr, 1, datatype}, nullptr, [&] {
                      return PMPI_Compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank,
                                                   target_disp, win);
                  });
}

}  // namespace dampi::piggyback::distributed::calls
