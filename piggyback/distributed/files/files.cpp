// Files: the collectives on them. MPI has them meet on a communicator of the file's own, so that they have an order
// among themselves only. None of them need wait for the others, not even to write or to synchronise the file, so no
// clock moves; who has not come is seen all the same. All else is local: what one rank reads of what another has
// written is only defined where other calls order them. There are two exceptions, which count as not modelled: file
// pointers that ranks share, by their functions, and atomic mode, in which accesses at the same time have some order.
//
// MPI's own order of the calls on a file is looked at besides: one split collective at a time, no other collective
// access meanwhile, nothing pending where the file is closed. So are the buffers; MPICH may fill them at any time, by
// the system's threads.
#include "piggyback/distributed/files/open_files.hpp"

#include "piggyback/distributed/collectives/collectives.hpp"
#include "piggyback/distributed/collectives/meeting.hpp"
#include "piggyback/distributed/contradictions.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/buffers/used_buffers.hpp"
#include "piggyback/rank/errors/quiet_errors.hpp"
#include "piggyback/rank/resources/access_requests.hpp"
#include "piggyback/rank/resources/file_views.hpp"
#include "piggyback/rank/resources/following.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace dampi::piggyback::distributed {

using transport::Collective;
using transport::CollectiveForm;

namespace {

/// Null where no other rank matters: the layer does not know the file, which then counts, or this rank is alone.
std::shared_ptr<Communicator> find_group(const Call& call, MPI_File file) {
    const OpenFile* const open = DistributedLayer::current()->files.find(file);
    if (open == nullptr && file != MPI_FILE_NULL) {
        call.not_modelled();
    }
    return open == nullptr || alone(*open->group) ? nullptr : open->group;
}

/// The call is a collective on the file, or closes it: a split collective must not have been begun.
void check_split(const Call& call, MPI_File file, const char* message) {
    DistributedLayer& layer = *DistributedLayer::current();
    const OpenFile* const open = layer.files.find(file);
    if (open != nullptr && open->split != nullptr && !layer.misses_calls.load(std::memory_order_relaxed)) {
        note_contradiction(layer, call, replay::ViolationKind::argument_file, message,
                           {.rank = layer.rank(),
                            .call = open->split,
                            .site = open->split_site,
                            .what = "has begun a split collective that has not ended"});
    }
}
void check_split(const Call& call, MPI_File file) {
    check_split(call, file, "accesses a file between the two calls of a split collective");
}

/// The call ends a split collective: it must be of the kind that was begun.
void check_split_end(const Call& call, MPI_File file) {
    DistributedLayer& layer = *DistributedLayer::current();
    const OpenFile* const open = layer.files.find(file);
    if (open == nullptr || layer.misses_calls.load(std::memory_order_relaxed)) {
        return;
    }
    constexpr std::string_view end = "_end";
    const std::string_view own = call.function();
    const std::string begin = std::string(own.substr(0, own.size() - end.size())) + "_begin";
    if (open->split == nullptr) {
        note_contradiction(layer, call, replay::ViolationKind::argument_file,
                           "ends a split collective, and none has been begun on the file");
    } else if (open->split != begin && open->split != begin + "_c") {
        check_split(call, file, "ends another split collective than has been begun on the file");
    }
}

/// The call closes the file, or changes it as a whole: none of this rank's accesses to it may be pending.
void check_pending(const Call& call, MPI_File file, const char* message) {
    DistributedLayer& layer = *DistributedLayer::current();
    const OpenFile* const open = layer.files.find(file);
    if (open == nullptr || layer.misses_calls.load(std::memory_order_relaxed)) {
        return;
    }
    const auto note = [&](const char* function, std::uint64_t site) {
        note_contradiction(layer, call, replay::ViolationKind::argument_file, message,
                           {.rank = layer.rank(),
                            .call = function,
                            .site = site,
                            .what = "has begun an access that the program has not completed"});
    };
    access_requests().for_each([&](MPI_Request /*handle*/, AccessRequest& request) {
        if (request.file == file && !request.is_told) {
            request.is_told = true;
            note(request.origin.function, request.origin.site);
        }
    });
    layer.requests.for_each([&](Request& request) {
        if (request.on_file && request.active && !request.told && request.special().apart == open->group &&
            !request.is_told) {
            request.is_told = true;
            note(request.function, request.site);
        }
    });
}

/// The call closes the file, which is a fault where accesses of this rank's are pending. MPICH would go on with them on
/// a file that is not there any more, and may then never complete them. So the system's threads get the time to end
/// them first; the requests do not tell before the program waits.
void let_pending_end(MPI_File file) {
    constexpr useconds_t time_for_small_ones = 100'000;
    bool pending = false;
    access_requests().for_each(
        [&](MPI_Request /*handle*/, const AccessRequest& request) { pending = pending || request.file == file; });
    if (pending && !DistributedLayer::current()->misses_calls.load(std::memory_order_relaxed)) {
        usleep(time_for_small_ones);
    }
}

void use(UsedBuffers& used, const void* buffer, MPI_Count count, MPI_Datatype datatype) {
    used.add(BufferRole::send, buffer, count, datatype);
}
void use(UsedBuffers& used, void* buffer, MPI_Count count, MPI_Datatype datatype) {
    used.add(BufferRole::receive, buffer, count, datatype);
}

/// `arguments`: as Flow::arguments.
template <typename Native>
int blocking(const Call& call, MPI_File file, Collective collective, Native&& native, std::uint64_t arguments = 0) {
    const auto group = find_group(call, file);
    Flow flow;
    flow.arguments = arguments;
    return group == nullptr ? native() : meet(*DistributedLayer::current(), call, *group, collective, flow, native);
}

/// Where a file is, whichever directory a rank works in; the name may be one of a symbolic link.
std::string file_path(const char* filename) {
    if (filename == nullptr) {
        return {};
    }
    std::string name = filename;
    const std::size_t colon = name.find(':');  // MPICH's names of file systems: ufs:, nfs:
    if (colon != std::string::npos && name.find('/') > colon) {
        name.erase(0, colon + 1);
    }
    const auto real = [](const std::string& path) {
        const std::unique_ptr<char, decltype(&std::free)> found(realpath(path.c_str(), nullptr), &std::free);
        return found == nullptr ? std::string() : std::string(found.get());
    };
    if (std::string path = real(name); !path.empty()) {
        return path;
    }
    // It is not there yet.
    const std::size_t slash = name.rfind('/');
    const std::string folder = real(slash == std::string::npos ? "." : name.substr(0, slash + 1));
    return folder.empty() ? name : folder + "/" + name.substr(slash == std::string::npos ? 0 : slash + 1);
}

/// All must name the same file and open it in the same way. A file has names; two that cannot be seen to be those of
/// one file stand for different ones.
std::uint64_t opening_digest(const char* filename, int amode) {
    ArgumentDigest digest;
    digest.add(amode);
    for (const char letter : file_path(filename)) {
        digest.add(letter);
    }
    return digest.value();
}

/// The data representations must be the same, and the etypes' extents.
std::uint64_t view_digest(MPI_Datatype etype, const char* datarep) {
    const QuietErrors quiet;  // whether it is a datatype MPI says, to the program, in the call itself
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    if (datarep == nullptr || PMPI_Type_get_extent(etype, &lower, &extent) != MPI_SUCCESS) {
        return 0;
    }
    ArgumentDigest digest;
    digest.add(extent);
    for (const char* letter = datarep; *letter != '\0'; ++letter) {
        digest.add(*letter);
    }
    return digest.value();
}

/// An access of this rank alone.
template <typename Address, typename Native>
int local(const Call& call, MPI_File file, Address* buffer, MPI_Count count, MPI_Datatype datatype,
          const MPI_Request* handle, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    UsedBuffers used(Arrival::in_background);
    use(used, buffer, count, datatype);
    used.begin_pending(call);
    const int result = native();
    if (result == MPI_SUCCESS) {
        AccessRequest& request =
            access_requests().add(*handle, {.function = call.function(),
                                            .site = call.site(),
                                            .stack = layer.call_stacks.number_of_few(layer, call.site())});
        request.file = file;
        layer.requests.add_apart(*handle);
        used.keep(request.buffers);
    }
    return result;
}

template <typename Address, typename Native>
int nonblocking(const Call& call, MPI_File file, Address* buffer, MPI_Count count, MPI_Datatype datatype,
                MPI_Request* handle, Collective collective, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    check_split(call, file);
    const auto group = find_group(call, file);
    if (group == nullptr) {
        return local(call, file, buffer, count, datatype, handle, native);
    }
    UsedBuffers used(Arrival::in_background);
    use(used, buffer, count, datatype);
    used.begin_pending(call);
    auto request =
        make_collective_request(call, *group, operation_number(collective, CollectiveForm::nonblocking), Flow{});
    request->make_special().apart = group;  // the file may be closed first
    request->on_file = true;
    start_collective(layer, call, *request);
    const int result = native();
    if (result == MPI_SUCCESS) {
        layer.requests.add(*handle, std::move(request));
        used.keep(*handle);
    }
    return result;
}

template <typename Address, typename Native>
int blocking_access(const Call& call, MPI_File file, Address* buffer, MPI_Count count, MPI_Datatype datatype,
                    Collective collective, Native&& native) {
    check_split(call, file);
    UsedBuffers used(Arrival::in_background);
    use(used, buffer, count, datatype);
    used.begin(call);
    return blocking(call, file, collective, native);
}

template <typename Address, typename Native>
int begin_split(const Call& call, MPI_File file, Address* buffer, MPI_Count count, MPI_Datatype datatype,
                Collective collective, Native&& native) {
    check_split(call, file, "begins a split collective on a file with another one");
    UsedBuffers used(Arrival::in_background);
    use(used, buffer, count, datatype);
    used.begin_pending(call);
    const int result = blocking(call, file, collective, native);
    OpenFile* const open = DistributedLayer::current()->files.find(file);
    if (result == MPI_SUCCESS && open != nullptr) {
        open->split = call.function();
        open->split_site = call.site();
        used.keep(open->split_buffers);
    }
    return result;
}

template <typename Native>
int end_split(const Call& call, MPI_File file, Collective collective, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    check_split_end(call, file);
    const int result = blocking(call, file, collective, native);
    OpenFile* const open = layer.files.find(file);
    if (result == MPI_SUCCESS && open != nullptr) {
        open->split = nullptr;
        open->split_buffers.release([&](const PendingUse& pending) { check_unchanged(layer, call, nullptr, pending); });
    }
    return result;
}

}  // namespace
}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {

int file_open(Call& call, MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* fh) noexcept {
    std::shared_ptr<Communicator> group;
    const int result = make_on(call, comm, Collective::file_open, opening_digest(filename, amode), group,
                               [&] { return PMPI_File_open(comm, filename, amode, info, fh); });
    if (group != nullptr) {
        DistributedLayer::current()->files.add(*fh, std::move(group));
    }
    if (result == MPI_SUCCESS) {
        file_views().forget(*fh);
    }
    return made(ResourceKind::file, call, result, fh);
}

int file_close(Call& call, MPI_File* fh) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    MPI_File handle = fh == nullptr ? MPI_FILE_NULL : *fh;
    check_split(call, handle, "closes a file in a split collective");
    check_pending(call, handle, "closes a file on which an access is pending");
    let_pending_end(handle);
    const OpenFile* const open = layer.files.find(handle);
    const auto group = open == nullptr || alone(*open->group) ? nullptr : open->group;
    const auto native = [&] { return PMPI_File_close(fh); };
    const int result = freed(ResourceKind::file, fh, [&] {
        return group == nullptr ? blocked_in_library(call, native)
                                : meet(layer, call, *group, Collective::file_close, Flow{}, native);
    });
    if (result == MPI_SUCCESS) {
        layer.files.remove(handle);
        file_views().forget(handle);
    }
    return result;
}

int file_get_view(Call& call, MPI_File fh, MPI_Offset* disp, MPI_Datatype* etype, MPI_Datatype* filetype,
                  char* datarep) noexcept {
    const int result = PMPI_File_get_view(fh, disp, etype, filetype, datarep);
    made_datatypes(call, result, etype, 1);
    return made_datatypes(call, result, filetype, 1);
}

int file_set_atomicity(Call& call, MPI_File fh, int flag) noexcept {
    if (flag != 0 && find_group(call, fh) != nullptr) {
        DistributedLayer::current()->count_not_modelled("order of accesses to an atomic file");
    }
    return blocking(
        call, fh, Collective::file_set_atomicity, [&] { return PMPI_File_set_atomicity(fh, flag); },
        ArgumentDigest().add(flag != 0 ? 1 : 0).value());
}

int file_set_view(Call& call, MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                  const char* datarep, MPI_Info info) noexcept {
    check_split(call, fh, "sets the view of a file in a split collective");
    check_pending(call, fh, "sets the view of a file on which an access is pending");
    const int result = blocking(
        call, fh, Collective::file_set_view,
        [&] { return PMPI_File_set_view(fh, disp, etype, filetype, datarep, info); }, view_digest(etype, datarep));
    if (result == MPI_SUCCESS) {
        FileView view{.etype = DistributedLayer::current()->types.data(1, etype)};
        PMPI_Type_size_x(etype, &view.bytes);
        file_views().set(fh, view);
    }
    return result;
}

int file_set_size(Call& call, MPI_File fh, MPI_Offset size) noexcept {
    check_split(call, fh, "sets the size of a file in a split collective");
    check_pending(call, fh, "sets the size of a file on which an access is pending");
    return blocking(
        call, fh, Collective::file_set_size, [&] { return PMPI_File_set_size(fh, size); },
        ArgumentDigest().add(size).value());
}

int file_set_info(Call& call, MPI_File fh, MPI_Info info) noexcept {
    return blocking(call, fh, Collective::file_set_info, [&] { return PMPI_File_set_info(fh, info); });
}

int file_preallocate(Call& call, MPI_File fh, MPI_Offset size) noexcept {
    return blocking(
        call, fh, Collective::file_preallocate, [&] { return PMPI_File_preallocate(fh, size); },
        ArgumentDigest().add(size).value());
}

int file_seek_shared(Call& call, MPI_File fh, MPI_Offset offset, int whence) noexcept {
    return blocking(
        call, fh, Collective::file_seek_shared, [&] { return PMPI_File_seek_shared(fh, offset, whence); },
        ArgumentDigest().add(offset).add(whence).value());
}

int file_sync(Call& call, MPI_File fh) noexcept {
    check_split(call, fh, "synchronises a file in a split collective");
    check_pending(call, fh, "synchronises a file on which an access is pending");
    return blocking(call, fh, Collective::file_sync, [&] { return PMPI_File_sync(fh); });
}

/// A list as one macro argument; ends in a comma unless it is empty.
#define DAMPI_LIST(...) __VA_ARGS__

// `where` is the offset as parameter, `there` as argument; `Buffer` is what is read into or written from.
#define DAMPI_BLOCKING(name, suffix, where, there, Buffer, Count)                                                 \
    int file_##name##suffix(Call& call, MPI_File fh, where Buffer buf, Count count, MPI_Datatype datatype,        \
                            MPI_Status* status) noexcept {                                                        \
        return blocking_access(call, fh, buf, count, datatype, Collective::file_##name,                           \
                               [&] { return PMPI_File_##name##suffix(fh, there buf, count, datatype, status); }); \
    }
#define DAMPI_NONBLOCKING(name, suffix, where, there, Buffer, Count)                                            \
    int file_i##name##suffix(Call& call, MPI_File fh, where Buffer buf, Count count, MPI_Datatype datatype,     \
                             MPI_Request* request) noexcept {                                                   \
        return nonblocking(call, fh, buf, count, datatype, request, Collective::file_##name,                    \
                           [&] { return PMPI_File_i##name##suffix(fh, there buf, count, datatype, request); }); \
    }
#define DAMPI_LOCAL(name, suffix, where, there, Buffer, Count)                                              \
    int file_i##name##suffix(Call& call, MPI_File fh, where Buffer buf, Count count, MPI_Datatype datatype, \
                             MPI_Request* request) noexcept {                                               \
        return local(call, fh, buf, count, datatype, request,                                               \
                     [&] { return PMPI_File_i##name##suffix(fh, there buf, count, datatype, request); });   \
    }
#define DAMPI_SHARED(name, suffix, where, there, Buffer, Count)                                             \
    int file_i##name##suffix(Call& call, MPI_File fh, where Buffer buf, Count count, MPI_Datatype datatype, \
                             MPI_Request* request) noexcept {                                               \
        call.not_modelled();                                                                                \
        return local(call, fh, buf, count, datatype, request,                                               \
                     [&] { return PMPI_File_i##name##suffix(fh, there buf, count, datatype, request); });   \
    }
#define DAMPI_BEGIN(name, suffix, where, there, Buffer, Count)                                                \
    int file_##name##_begin##suffix(Call& call, MPI_File fh, where Buffer buf, Count count,                   \
                                    MPI_Datatype datatype) noexcept {                                         \
        return begin_split(call, fh, buf, count, datatype, Collective::file_##name##_begin,                   \
                           [&] { return PMPI_File_##name##_begin##suffix(fh, there buf, count, datatype); }); \
    }
#define DAMPI_END(name, Buffer)                                                               \
    int file_##name##_end(Call& call, MPI_File fh, Buffer buf, MPI_Status* status) noexcept { \
        return end_split(call, fh, Collective::file_##name##_end,                             \
                         [&] { return PMPI_File_##name##_end(fh, buf, status); });            \
    }
#define DAMPI_BOTH_WIDTHS(MACRO, name, where, there, Buffer)         \
    MACRO(name, , DAMPI_LIST(where), DAMPI_LIST(there), Buffer, int) \
    MACRO(name, _c, DAMPI_LIST(where), DAMPI_LIST(there), Buffer, MPI_Count)
#define DAMPI_TRANSFER(name, where, there, Buffer)                                        \
    DAMPI_BOTH_WIDTHS(DAMPI_BLOCKING, name, DAMPI_LIST(where), DAMPI_LIST(there), Buffer) \
    DAMPI_BOTH_WIDTHS(DAMPI_BEGIN, name, DAMPI_LIST(where), DAMPI_LIST(there), Buffer)    \
    DAMPI_END(name, Buffer)
#define DAMPI_NONBLOCKING_TRANSFER(name, where, there, Buffer)         \
    DAMPI_TRANSFER(name, DAMPI_LIST(where), DAMPI_LIST(there), Buffer) \
    DAMPI_BOTH_WIDTHS(DAMPI_NONBLOCKING, name, DAMPI_LIST(where), DAMPI_LIST(there), Buffer)

// clang-format off
DAMPI_NONBLOCKING_TRANSFER(read_all, DAMPI_LIST(), DAMPI_LIST(), void*)
DAMPI_NONBLOCKING_TRANSFER(write_all, DAMPI_LIST(), DAMPI_LIST(), const void*)
DAMPI_NONBLOCKING_TRANSFER(read_at_all, DAMPI_LIST(MPI_Offset offset,), DAMPI_LIST(offset,), void*)
DAMPI_NONBLOCKING_TRANSFER(write_at_all, DAMPI_LIST(MPI_Offset offset,), DAMPI_LIST(offset,), const void*)
DAMPI_TRANSFER(read_ordered, DAMPI_LIST(), DAMPI_LIST(), void*)
DAMPI_TRANSFER(write_ordered, DAMPI_LIST(), DAMPI_LIST(), const void*)
DAMPI_BOTH_WIDTHS(DAMPI_LOCAL, read, DAMPI_LIST(), DAMPI_LIST(), void*)
DAMPI_BOTH_WIDTHS(DAMPI_LOCAL, write, DAMPI_LIST(), DAMPI_LIST(), const void*)
DAMPI_BOTH_WIDTHS(DAMPI_LOCAL, read_at, DAMPI_LIST(MPI_Offset offset,), DAMPI_LIST(offset,), void*)
DAMPI_BOTH_WIDTHS(DAMPI_LOCAL, write_at, DAMPI_LIST(MPI_Offset offset,), DAMPI_LIST(offset,), const void*)
DAMPI_BOTH_WIDTHS(DAMPI_SHARED, read_shared, DAMPI_LIST(), DAMPI_LIST(), void*)
DAMPI_BOTH_WIDTHS(DAMPI_SHARED, write_shared, DAMPI_LIST(), DAMPI_LIST(), const void*)
// clang-format on

#undef DAMPI_NONBLOCKING_TRANSFER
#undef DAMPI_TRANSFER
#undef DAMPI_BOTH_WIDTHS
#undef DAMPI_END
#undef DAMPI_BEGIN
#undef DAMPI_SHARED
#undef DAMPI_LOCAL
#undef DAMPI_NONBLOCKING
#undef DAMPI_BLOCKING
#undef DAMPI_LIST

}  // namespace dampi::piggyback::distributed::calls
