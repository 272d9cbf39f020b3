// Completion of requests: the Wait and Test families, starting and freeing requests, cancelling.
//
// A blocking wait is its testing twin in a loop, so that a blocked rank can be seen and yields its core.
// Requests that the layer does not follow (of one-sided communication, files, ...) are completed alike.

#include "piggyback/completion/completion.hpp"

#include "piggyback/collectives/collectives.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/matching/matching.hpp"
#include "piggyback/point_to_point/outgoing.hpp"
#include "piggyback/point_to_point/receive.hpp"
#include "piggyback/waiting.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace dampi::piggyback {
namespace {

bool was_cancelled(const MPI_Status& status) {
    int cancelled = 0;
    PMPI_Test_cancelled(&status, &cancelled);
    return cancelled != 0;
}

/// A receive or a send has completed: what the program now knows.
void note_completion(Layer& layer, const Call& call, Request& request, const MPI_Status& status) {
    switch (request.kind) {
        case RequestKind::receive:
            if (was_cancelled(status)) {
                drop_pending(layer, request.posting.order);
                return;
            }
            if (!request.taken) {
                request.taken =
                    resolve(layer, call, *request.communicator, request.posting, status.MPI_SOURCE, status.MPI_TAG);
            }
            learn(layer, *request.taken);
            return;
        case RequestKind::send:
            if (was_cancelled(status) && request.outgoing.slot != nullptr) {
                withdraw(layer, request.outgoing);
            } else if (request.synchronous) {
                await_acknowledgement(layer, request.outgoing, *request.communicator, request.tag);
            }
            return;
        case RequestKind::collective:
            complete_collective(layer, call, request);
            return;
    }
}

/// The program's array of requests as MPI has to see it: where a decision put another request in the place
/// of a persistent one, that other request.
class RequestArray {
public:
    RequestArray(Layer& layer, int count, MPI_Request* requests) : layer_(layer), requests_(requests) {
        if (count <= 0 || requests == nullptr) {
            return;
        }
        const auto size = static_cast<std::size_t>(count);
        if (size <= few_.size()) {
            entries_ = std::span(few_).first(size);
        } else {
            many_.resize(size);
            entries_ = many_;
        }
        for (std::size_t i = 0; i < size; ++i) {
            Entry& entry = entries_[i];
            entry.handle = requests[i];
            entry.request = layer.requests.find(requests[i]);
            if (entry.request != nullptr && entry.request->started != MPI_REQUEST_NULL) {
                substituted_ = true;
            }
            if (requests[i] != MPI_REQUEST_NULL && (entry.request == nullptr || entry.request->active)) {
                ++active_;
            }
        }
        if (substituted_) {
            natives_.resize(size);
            for (std::size_t i = 0; i < size; ++i) {
                const Request* request = entries_[i].request;
                natives_[i] =
                    request != nullptr && request->started != MPI_REQUEST_NULL ? request->started : requests[i];
            }
        }
    }

    /// What to pass to MPI.
    [[nodiscard]] MPI_Request* native() { return substituted_ ? natives_.data() : requests_; }

    /// Requests that are neither null nor inactive.
    [[nodiscard]] std::size_t active() const { return active_; }

    void describe(WaitDescription& description) const {
        for (const Entry& entry : entries_) {
            if (entry.request != nullptr) {
                description.add(*entry.request);
            } else if (entry.handle != MPI_REQUEST_NULL) {
                description.add({.kind = replay::area::WaitKind::foreign,
                                 .forced = 0,
                                 .peer = clocks::any_source,
                                 .tag = 0,
                                 .comm = 0,
                                 .number = 0});
            }
        }
    }

    /// MPI has completed entry `i`.
    void complete(const Call& call, std::size_t i, const MPI_Status& status) {
        Entry& entry = entries_[i];
        if (substituted_ && (entry.request == nullptr || entry.request->started == MPI_REQUEST_NULL)) {
            requests_[i] = natives_[i];
        }
        if (entry.handle == MPI_REQUEST_NULL) {
            return;
        }
        // Looked up again: equal handles of operations that completed at once are several requests.
        Request* request = layer_.requests.find(entry.handle);
        if (request != nullptr && request->active) {
            piggyback::complete(layer_, call, *request, status);
        }
    }

    /// MPI has completed several entries at once and their requests are gone. The receives among them are resolved
    /// here in posting order, since none can be asked any more when a later one needs it. Call before complete().
    /// `indices`: which entries the statuses belong to; null for all in order.
    void resolve_all(const Call& call, int count, const int* indices, std::span<MPI_Status> statuses) {
        std::vector<std::pair<Request*, const MPI_Status*>> receives;
        for (int i = 0; i < count; ++i) {
            const auto entry = static_cast<std::size_t>(indices == nullptr ? i : indices[i]);
            const MPI_Status& status = statuses[static_cast<std::size_t>(i)];
            Request* request = entries_[entry].request;
            if (request != nullptr && request->active && request->kind == RequestKind::receive && !request->taken &&
                !was_cancelled(status)) {
                receives.emplace_back(request, &status);
            }
        }
        if (receives.size() < 2) {
            return;
        }
        std::sort(receives.begin(), receives.end(),
                  [](const auto& a, const auto& b) { return a.first->posting.order < b.first->posting.order; });
        for (const auto& [request, status] : receives) {
            mark_completed(layer_, request->posting.order);
        }
        for (const auto& [request, status] : receives) {
            request->taken = piggyback::resolve(layer_, call, *request->communicator, request->posting,
                                                status->MPI_SOURCE, status->MPI_TAG);
        }
    }

    /// Completes all whose native request is gone (or inactive) after an error.
    void complete_after_error(const Call& call, std::span<MPI_Status> statuses) {
        std::vector<int> gone;
        std::vector<MPI_Status> of_gone;
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (statuses[i].MPI_ERROR != MPI_ERR_PENDING && native()[i] == MPI_REQUEST_NULL) {
                gone.push_back(static_cast<int>(i));
                of_gone.push_back(statuses[i]);
            }
        }
        resolve_all(call, static_cast<int>(gone.size()), gone.data(), of_gone);
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (statuses[i].MPI_ERROR != MPI_ERR_PENDING && native()[i] == MPI_REQUEST_NULL) {
                complete(call, i, statuses[i]);
            }
        }
    }

private:
    struct Entry {
        MPI_Request handle = MPI_REQUEST_NULL;
        Request* request = nullptr;
    };

    Layer& layer_;
    MPI_Request* requests_;
    std::array<Entry, 8> few_;
    std::vector<Entry> many_;
    std::span<Entry> entries_;
    std::vector<MPI_Request> natives_;
    bool substituted_ = false;
    std::size_t active_ = 0;
};

/// The caller's statuses, or ours where the program ignores them.
class StatusArray {
public:
    StatusArray(int count, MPI_Status* statuses) : used_(statuses) {
        if (statuses == MPI_STATUSES_IGNORE && count > 0) {
            if (static_cast<std::size_t>(count) <= few_.size()) {
                used_ = few_.data();
            } else {
                own_.resize(static_cast<std::size_t>(count));
                used_ = own_.data();
            }
        }
    }
    [[nodiscard]] MPI_Status* data() { return used_; }
    [[nodiscard]] MPI_Status& operator[](std::size_t i) { return used_[i]; }

private:
    std::array<MPI_Status, 8> few_;
    std::vector<MPI_Status> own_;
    MPI_Status* used_;
};

int start_request(Layer& layer, const Call& call, MPI_Request* handle) {
    Request* request = layer.requests.find(*handle);
    if (request == nullptr || !request->persistent || request->active) {
        return PMPI_Start(handle);
    }
    if (request->kind == RequestKind::receive) {
        return start_receive(layer, call, *request);
    }
    int result = MPI_SUCCESS;
    if (request->kind == RequestKind::collective) {
        start_collective(layer, call, *request);
        result = PMPI_Start(handle);
    } else {
        const Outgoing outgoing =
            append_envelope(layer, call, *request->communicator, request->peer, request->tag, request->synchronous);
        result = PMPI_Start(handle);
        if (result != MPI_SUCCESS) {
            withdraw(layer, outgoing);
            return result;
        }
        request->outgoing = outgoing;
    }
    request->active = result == MPI_SUCCESS;
    return result;
}

/// When completions are chosen among several, or polled for, the choice is not explored.
void note_choice(const Call& call, const RequestArray& requests, std::size_t harmless) {
    if (requests.active() > harmless) {
        call.not_modelled();
    }
}

}  // namespace

void complete(Layer& layer, const Call& call, Request& request, const MPI_Status& status) {
    note_completion(layer, call, request, status);
    if (request.persistent) {
        request.active = false;
        request.started = MPI_REQUEST_NULL;
        request.outgoing.slot = nullptr;
        request.taken.reset();
    } else {
        layer.requests.remove(request.handle);
    }
}

}  // namespace dampi::piggyback

namespace dampi::piggyback::calls {

int wait(Call& call, MPI_Request* request, MPI_Status* status) noexcept {
    Layer& layer = *Layer::current();
    if (request == nullptr) {
        return PMPI_Wait(request, status);
    }
    RequestArray array(layer, 1, request);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    Waiting waiting(layer, call, [&](WaitDescription& description) { array.describe(description); });
    for (;;) {
        int flag = 0;
        const int result = PMPI_Test(array.native(), &flag, used);
        if (flag != 0 || result != MPI_SUCCESS) {
            if (flag != 0 || *array.native() == MPI_REQUEST_NULL) {
                array.complete(call, 0, *used);
            }
            return result;
        }
        waiting.pause();
    }
}

int test(Call& call, MPI_Request* request, int* flag, MPI_Status* status) noexcept {
    Layer& layer = *Layer::current();
    if (request == nullptr) {
        return PMPI_Test(request, flag, status);
    }
    RequestArray array(layer, 1, request);
    note_choice(call, array, 0);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    const int result = PMPI_Test(array.native(), flag, used);
    if (*flag != 0 || (result != MPI_SUCCESS && *array.native() == MPI_REQUEST_NULL)) {
        array.complete(call, 0, *used);
    } else {
        waiting_detail::yield(layer);
    }
    return result;
}

int waitall(Call& call, int count, MPI_Request* requests, MPI_Status* statuses) noexcept {
    Layer& layer = *Layer::current();
    RequestArray array(layer, count, requests);
    StatusArray used(count, statuses);
    Waiting waiting(layer, call, [&](WaitDescription& description) { array.describe(description); });
    for (;;) {
        int flag = 0;
        const int result = PMPI_Testall(count, array.native(), &flag, used.data());
        if (result != MPI_SUCCESS) {
            if (count > 0) {
                array.complete_after_error(call, {used.data(), static_cast<std::size_t>(count)});
            }
            return result;
        }
        if (flag != 0) {
            array.resolve_all(call, count, nullptr, {used.data(), static_cast<std::size_t>(count)});
            for (int i = 0; i < count; ++i) {
                array.complete(call, static_cast<std::size_t>(i), used[static_cast<std::size_t>(i)]);
            }
            return result;
        }
        waiting.pause();
    }
}

int testall(Call& call, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) noexcept {
    Layer& layer = *Layer::current();
    RequestArray array(layer, count, requests);
    note_choice(call, array, 0);
    StatusArray used(count, statuses);
    const int result = PMPI_Testall(count, array.native(), flag, used.data());
    if (result != MPI_SUCCESS) {
        if (count > 0) {
            array.complete_after_error(call, {used.data(), static_cast<std::size_t>(count)});
        }
    } else if (*flag != 0) {
        array.resolve_all(call, count, nullptr, {used.data(), static_cast<std::size_t>(count)});
        for (int i = 0; i < count; ++i) {
            array.complete(call, static_cast<std::size_t>(i), used[static_cast<std::size_t>(i)]);
        }
    } else {
        waiting_detail::yield(layer);
    }
    return result;
}

int waitany(Call& call, int count, MPI_Request* requests, int* index, MPI_Status* status) noexcept {
    Layer& layer = *Layer::current();
    RequestArray array(layer, count, requests);
    note_choice(call, array, 1);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    Waiting waiting(layer, call, [&](WaitDescription& description) {
        description.any();
        array.describe(description);
    });
    for (;;) {
        int flag = 0;
        const int result = PMPI_Testany(count, array.native(), index, &flag, used);
        if (flag != 0 || result != MPI_SUCCESS) {
            if (flag != 0 && *index != MPI_UNDEFINED) {
                array.complete(call, static_cast<std::size_t>(*index), *used);
            }
            return result;
        }
        waiting.pause();
    }
}

int testany(Call& call, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) noexcept {
    Layer& layer = *Layer::current();
    RequestArray array(layer, count, requests);
    note_choice(call, array, 0);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    const int result = PMPI_Testany(count, array.native(), index, flag, used);
    if (*flag == 0) {
        waiting_detail::yield(layer);
    } else if (*index != MPI_UNDEFINED) {
        array.complete(call, static_cast<std::size_t>(*index), *used);
    }
    return result;
}

int waitsome(Call& call, int incount, MPI_Request* requests, int* outcount, int* indices,
             MPI_Status* statuses) noexcept {
    Layer& layer = *Layer::current();
    RequestArray array(layer, incount, requests);
    note_choice(call, array, 1);
    StatusArray used(incount, statuses);
    Waiting waiting(layer, call, [&](WaitDescription& description) {
        description.any();
        array.describe(description);
    });
    for (;;) {
        const int result = PMPI_Testsome(incount, array.native(), outcount, indices, used.data());
        if (result != MPI_SUCCESS || *outcount != 0) {
            if (*outcount != MPI_UNDEFINED) {
                array.resolve_all(call, *outcount, indices, {used.data(), static_cast<std::size_t>(incount)});
            }
            for (int i = 0; *outcount != MPI_UNDEFINED && i < *outcount; ++i) {
                array.complete(call, static_cast<std::size_t>(indices[i]), used[static_cast<std::size_t>(i)]);
            }
            return result;
        }
        waiting.pause();
    }
}

int testsome(Call& call, int incount, MPI_Request* requests, int* outcount, int* indices,
             MPI_Status* statuses) noexcept {
    Layer& layer = *Layer::current();
    RequestArray array(layer, incount, requests);
    note_choice(call, array, 0);
    StatusArray used(incount, statuses);
    const int result = PMPI_Testsome(incount, array.native(), outcount, indices, used.data());
    if (*outcount == 0) {
        waiting_detail::yield(layer);
    }
    if (*outcount != MPI_UNDEFINED) {
        array.resolve_all(call, *outcount, indices, {used.data(), static_cast<std::size_t>(incount)});
    }
    for (int i = 0; *outcount != MPI_UNDEFINED && i < *outcount; ++i) {
        array.complete(call, static_cast<std::size_t>(indices[i]), used[static_cast<std::size_t>(i)]);
    }
    return result;
}

int request_get_status(Call& call, MPI_Request handle, int* flag, MPI_Status* status) noexcept {
    Layer& layer = *Layer::current();
    Request* request = layer.requests.find(handle);
    if (request == nullptr || !request->active) {
        return PMPI_Request_get_status(handle, flag, status);
    }
    call.not_modelled();
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    const int result =
        PMPI_Request_get_status(request->started != MPI_REQUEST_NULL ? request->started : handle, flag, used);
    if (result == MPI_SUCCESS && *flag != 0 && request->kind != RequestKind::collective) {
        note_completion(layer, call, *request, *used);
    } else if (*flag == 0) {
        waiting_detail::yield(layer);
    }
    return result;
}

int start(Call& call, MPI_Request* request) noexcept { return start_request(*Layer::current(), call, request); }

int startall(Call& call, int count, MPI_Request* requests) noexcept {
    Layer& layer = *Layer::current();
    for (int i = 0; i < count; ++i) {
        const int result = start_request(layer, call, &requests[i]);
        if (result != MPI_SUCCESS) {
            return result;
        }
    }
    return MPI_SUCCESS;
}

int request_free(Call& /*call*/, MPI_Request* handle) noexcept {
    Layer& layer = *Layer::current();
    Request* request = handle == nullptr ? nullptr : layer.requests.find(*handle);
    if (request == nullptr) {
        return PMPI_Request_free(handle);
    }
    if (request->kind == RequestKind::receive && request->active) {
        // MPI's request is kept: what it matches must still be known.
        request->freed = true;
        *handle = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    if (request->datatype != MPI_DATATYPE_NULL) {
        PMPI_Type_free(&request->datatype);
    }
    layer.requests.remove(*handle);
    return PMPI_Request_free(handle);
}

int cancel(Call& call, MPI_Request* handle) noexcept {
    Layer& layer = *Layer::current();
    Request* request = handle == nullptr ? nullptr : layer.requests.find(*handle);
    if (request == nullptr) {
        return PMPI_Cancel(handle);
    }
    call.not_modelled();
    return PMPI_Cancel(request->started != MPI_REQUEST_NULL ? &request->started : handle);
}

int buffer_detach(Call& call, void* buffer, int* size) noexcept {
    // Waits for messages that are still in the buffer: a receiver must take them.
    const BlockedInLibrary blocked(*Layer::current(), call,
                                   {.kind = replay::area::WaitKind::other,
                                    .forced = 0,
                                    .peer = clocks::any_source,
                                    .tag = 0,
                                    .comm = 0,
                                    .number = 0});
    return PMPI_Buffer_detach(buffer, size);
}

}  // namespace dampi::piggyback::calls
