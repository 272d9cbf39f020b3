// Completing, starting, freeing and cancelling requests with the centralized engine. Which of them are complete, and
// which a call reports, is the scheduler's answer; the rank moves the data that came and fills the statuses in.
#include "piggyback/central/buffer_room.hpp"
#include "piggyback/central/errors.hpp"
#include "piggyback/central/work.hpp"
#include "piggyback/interception/central_calls.hpp"
#include "piggyback/rank/buffers/used_buffers.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/freed_requests.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

namespace dampi::piggyback::central {
namespace {

using replay::EpochKind;
using transport::requests::WaitMode;

/// The requests of a call.
class GivenRequests {
public:
    /// Looks at all of them; valid() is false where one is no request of the program's, which is recorded.
    GivenRequests(int count, MPI_Request* handles) : handles_(handles), count_(count) {
        if (count < 0) {
            valid_ = false;
            return;
        }
        Layer& layer = *Layer::current();
        for (int i = 0; i < count; ++i) {
            Request* request = layer.requests.find(handles[i]);
            if (handles[i] != MPI_REQUEST_NULL && (request == nullptr || request->freed)) {
                note_used_up(layer, handles[i]);
                valid_ = false;
                return;
            }
            if (request != nullptr && request->active) {
                operations_.push_back(request->special().work->operation());
                all_told_ = all_told_ && request->told;
                positions_.push_back(static_cast<std::uint32_t>(i));
                persistent_ += request->persistent ? 1 : 0;
            }
        }
    }

    [[nodiscard]] bool valid() const { return valid_; }
    [[nodiscard]] int refused(const Call& call) const {
        return count_ < 0 ? raise(call, MPI_COMM_NULL, Wrong::argument) : raise(call, MPI_COMM_NULL, Wrong::request);
    }
    [[nodiscard]] bool none_active() const { return operations_.empty(); }
    [[nodiscard]] std::size_t active() const { return operations_.size(); }

    /// Hands the question over. `kind`: of the epoch that it is; nothing for a call that leaves no choice.
    Answer ask(const Call& call, WaitMode mode, std::optional<EpochKind> kind = std::nullopt) {
        RankSide& side = *RankSide::current();
        if (persistent_ >= 2 && !transport::requests::reports_one(mode)) {
            name_each_once(call, mode);
        }
        transport::requests::WaitCall wait;
        wait.mode = mode;
        const bool polls = kind && replay::is_polling(*kind) && !all_told_;
        if (polls) {
            wait.turn = side.take_polling_turn(
                call, {.kind = *kind, .operations = operations_, .positions = positions_, .count = count_});
            wait.situation = side.epoch_of(call, wait.turn.begins != 0);
        } else {
            const bool chooses = kind && !replay::is_polling(*kind);
            wait.situation = chooses ? side.epoch_of(call) : side.place_of(call);
        }
        wait.operations = operations_;
        wait.positions = positions_;
        const transport::requests::PollingTurn turn = wait.turn;
        Answer answer = polls ? side.ask_polling(call, turn, std::move(wait)) : side.ask(call, std::move(wait));
        if (polls) {
            answer.flag != 0 ? side.end_polling() : side.note_false_answer(answer);
        }
        return answer;
    }

    /// One that the answer reports. Its handle is null, or inactive, afterwards.
    int finish(const Call& call, const Completion& completion, MPI_Status& status) {
        MPI_Request& handle = handles_[completion.position];
        Layer& layer = *Layer::current();
        Request* request = layer.requests.find(handle);
        DAMPI_CHECK(request != nullptr && request->special().work->operation() == completion.operation);
        complete_buffers(layer, call, *request);
        const int code = request->special().work->complete(call, completion, status);
        if (code != MPI_SUCCESS) {
            failed_on_ = request->special().work->error_place();
        }
        if (request->persistent) {
            request->active = false;
            request->told = false;
            request->cancel_called = false;
        } else {
            layer.requests.remove(handle);
            RankSide::current()->request_handles.give_back(handle);
            handle = MPI_REQUEST_NULL;
        }
        return code;
    }

    /// Where the error of the last failed one goes.
    [[nodiscard]] MPI_Comm failed_on() const { return failed_on_; }

private:
    /// A persistent request that is in the array twice is inactive where it stands again. (Others are refused.)
    void name_each_once(const Call& call, WaitMode mode) {
        std::unordered_set<Operation> named;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            if (named.insert(operations_[i]).second) {
                operations_[kept] = operations_[i];
                positions_[kept++] = positions_[i];
            }
        }
        if (kept != operations_.size() && (mode == WaitMode::some || mode == WaitMode::test_some)) {
            call.not_modelled();  // in which places MPI reports it is up to MPI
        }
        operations_.resize(kept);
        positions_.resize(kept);
    }

    MPI_Request* handles_;
    int count_;
    std::size_t persistent_ = 0;  ///< of the active ones
    bool all_told_ = true;        ///< the program knows of each active one that it is complete
    bool valid_ = true;
    std::vector<Operation> operations_;
    std::vector<std::uint32_t> positions_;
    MPI_Comm failed_on_ = MPI_COMM_NULL;
};

/// A status of the program's, or one for nobody.
class StatusOf {
public:
    explicit StatusOf(MPI_Status* given) : used_(given == MPI_STATUS_IGNORE ? &own_ : given) {}
    StatusOf(const StatusOf&) = delete;
    StatusOf& operator=(const StatusOf&) = delete;
    [[nodiscard]] MPI_Status& get() { return *used_; }

private:
    MPI_Status own_{};
    MPI_Status* used_;
};

/// The statuses that a call fills for several requests; the call's own where the program wants none.
class StatusesOf {
public:
    explicit StatusesOf(MPI_Status* given) : given_(given == MPI_STATUSES_IGNORE ? nullptr : given) {}
    [[nodiscard]] MPI_Status& operator[](std::size_t position) { return given_ == nullptr ? own_ : given_[position]; }

private:
    MPI_Status own_{};
    MPI_Status* given_;
};

/// MPI_Waitall and its testing twin: all active ones are complete.
int finish_all(const Call& call, GivenRequests& requests, const Answer& answer, int count, MPI_Status* given) {
    StatusesOf statuses(given);
    std::vector<int> codes(static_cast<std::size_t>(count), MPI_SUCCESS);
    std::vector<bool> reported(static_cast<std::size_t>(count));
    bool failed = false;
    for (const Completion& completion : answer.completions) {
        const int code = requests.finish(call, completion, statuses[completion.position]);
        codes[completion.position] = code;
        reported[completion.position] = true;
        failed = failed || code != MPI_SUCCESS;
        if (code != MPI_SUCCESS) {
            note_error(call, code);
        }
    }
    for (std::size_t i = 0; i < codes.size(); ++i) {
        if (!reported[i]) {
            make_empty(statuses[i]);
        }
        if (failed) {
            statuses[i].MPI_ERROR = codes[i];
        }
    }
    return failed ? raise(call, requests.failed_on(), Wrong::in_status) : MPI_SUCCESS;
}

/// MPI_Waitsome and its testing twin.
int finish_some(const Call& call, GivenRequests& requests, const Answer& answer, int* outcount, int* indices,
                MPI_Status* given) {
    StatusesOf statuses(given);
    std::vector<int> codes;
    bool failed = false;
    for (const Completion& completion : answer.completions) {
        indices[codes.size()] = static_cast<int>(completion.position);
        const int code = requests.finish(call, completion, statuses[codes.size()]);
        codes.push_back(code);
        failed = failed || code != MPI_SUCCESS;
        if (code != MPI_SUCCESS) {
            note_error(call, code);
        }
    }
    *outcount = static_cast<int>(codes.size());
    for (std::size_t i = 0; failed && i < codes.size(); ++i) {
        statuses[i].MPI_ERROR = codes[i];
    }
    return failed ? raise(call, requests.failed_on(), Wrong::in_status) : MPI_SUCCESS;
}

int finish_one(const Call& call, GivenRequests& requests, const Answer& answer, MPI_Status* status) {
    DAMPI_CHECK(answer.completions.size() == 1);
    StatusOf used(status);
    const int code = requests.finish(call, answer.completions.front(), used.get());
    return deliver(call, requests.failed_on(), code);
}

/// MPI_Waitany and its testing twin.
int finish_any(const Call& call, GivenRequests& requests, const Answer& answer, int* index, MPI_Status* status) {
    DAMPI_CHECK(answer.completions.size() == 1);
    *index = static_cast<int>(answer.completions.front().position);
    return finish_one(call, requests, answer, status);
}

/// There was nothing to wait for.
int finish_none(MPI_Status* status) {
    StatusOf used(status);
    make_empty(used.get());
    return MPI_SUCCESS;
}

/// The program's request; null for a handle that is no request, or no longer one, which is recorded.
Request* given_request(MPI_Request* handle) {
    Layer& layer = *Layer::current();
    Request* request = layer.requests.find(*handle);
    if (request == nullptr || request->freed) {
        note_used_up(layer, *handle);
        return nullptr;
    }
    return request;
}

int start_one(const Call& call, MPI_Request* handle) {
    Layer& layer = *Layer::current();
    Request* request = layer.requests.find(*handle);
    if (request == nullptr) {
        note_used_up(layer, *handle);
        return raise(call, MPI_COMM_NULL, Wrong::request);
    }
    if (!request->persistent || request->active) {
        return raise(call, request->special().work->error_place(),
                     request->persistent ? Wrong::started : Wrong::not_persistent);
    }
    if (const auto bytes = request->special().work->bytes_in_buffer()) {
        if (const int code = check_room(call, request->special().work->error_place(), *bytes); code != MPI_SUCCESS) {
            return code;
        }
    }
    const bool overlaps = begin_persistent(layer, call, *request);
    request->active = true;
    request->was_started = true;
    request->special().work->start(call);
    keep_started(layer, *request, Arrival::at_completion, overlaps);
    return MPI_SUCCESS;
}

}  // namespace
}  // namespace dampi::piggyback::central

namespace dampi::piggyback::central::calls {

int wait(Call& call, MPI_Request* request, MPI_Status* status) noexcept {
    GivenRequests requests(1, request);
    if (!requests.valid()) {
        return requests.refused(call);
    }
    if (requests.none_active()) {
        return finish_none(status);
    }
    return finish_one(call, requests, requests.ask(call, WaitMode::all), status);
}

int waitall(Call& call, int count, MPI_Request* handles, MPI_Status* statuses) noexcept {
    GivenRequests requests(count, handles);
    if (!requests.valid()) {
        return requests.refused(call);
    }
    return finish_all(call, requests, requests.none_active() ? Answer{} : requests.ask(call, WaitMode::all), count,
                      statuses);
}

int waitany(Call& call, int count, MPI_Request* handles, int* index, MPI_Status* status) noexcept {
    GivenRequests requests(count, handles);
    if (!requests.valid()) {
        return requests.refused(call);
    }
    if (requests.none_active()) {
        *index = MPI_UNDEFINED;
        return finish_none(status);
    }
    const Answer answer =
        requests.ask(call, WaitMode::any, requests.active() > 1 ? std::optional(EpochKind::wait_any) : std::nullopt);
    return finish_any(call, requests, answer, index, status);
}

int waitsome(Call& call, int incount, MPI_Request* handles, int* outcount, int* indices,
             MPI_Status* statuses) noexcept {
    GivenRequests requests(incount, handles);
    if (!requests.valid()) {
        return requests.refused(call);
    }
    if (requests.none_active()) {
        *outcount = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    const Answer answer =
        requests.ask(call, WaitMode::some, requests.active() > 1 ? std::optional(EpochKind::wait_some) : std::nullopt);
    return finish_some(call, requests, answer, outcount, indices, statuses);
}

int test(Call& call, MPI_Request* request, int* flag, MPI_Status* status) noexcept {
    GivenRequests requests(1, request);
    if (!requests.valid()) {
        return requests.refused(call);
    }
    if (requests.none_active()) {
        *flag = 1;
        return finish_none(status);
    }
    *flag = 0;
    const Answer answer = requests.ask(call, WaitMode::test, EpochKind::test);
    *flag = answer.flag != 0 ? 1 : 0;
    return *flag == 0 ? MPI_SUCCESS : finish_one(call, requests, answer, status);
}

int testall(Call& call, int count, MPI_Request* handles, int* flag, MPI_Status* statuses) noexcept {
    GivenRequests requests(count, handles);
    if (!requests.valid()) {
        return requests.refused(call);
    }
    *flag = 0;
    const Answer answer =
        requests.none_active() ? Answer{} : requests.ask(call, WaitMode::test_all, EpochKind::test_all);
    *flag = answer.flag != 0 ? 1 : 0;
    return *flag == 0 ? MPI_SUCCESS : finish_all(call, requests, answer, count, statuses);
}

int testany(Call& call, int count, MPI_Request* handles, int* index, int* flag, MPI_Status* status) noexcept {
    GivenRequests requests(count, handles);
    if (!requests.valid()) {
        return requests.refused(call);
    }
    if (requests.none_active()) {
        *flag = 1;
        *index = MPI_UNDEFINED;
        return finish_none(status);
    }
    *flag = 0;
    *index = MPI_UNDEFINED;
    const Answer answer = requests.ask(call, WaitMode::test_any, EpochKind::test_any);
    *flag = answer.flag != 0 ? 1 : 0;
    if (*flag == 0) {
        *index = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    return finish_any(call, requests, answer, index, status);
}

int testsome(Call& call, int incount, MPI_Request* handles, int* outcount, int* indices,
             MPI_Status* statuses) noexcept {
    GivenRequests requests(incount, handles);
    if (!requests.valid()) {
        return requests.refused(call);
    }
    if (requests.none_active()) {
        *outcount = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    *outcount = 0;
    const Answer answer = requests.ask(call, WaitMode::test_some, EpochKind::test_some);
    return answer.flag == 0 ? MPI_SUCCESS : finish_some(call, requests, answer, outcount, indices, statuses);
}

int request_get_status(Call& call, MPI_Request handle, int* flag, MPI_Status* status) noexcept {
    GivenRequests requests(1, &handle);
    if (!requests.valid()) {
        return requests.refused(call);
    }
    if (requests.none_active()) {
        *flag = 1;
        if (handle == MPI_REQUEST_NULL && status != MPI_STATUS_IGNORE) {
            status->MPI_ERROR = MPI_SUCCESS;  // here alone MPICH says so
        }
        return finish_none(status);
    }
    *flag = 0;
    const Answer answer = requests.ask(call, WaitMode::get_status, EpochKind::get_status);
    *flag = answer.flag != 0 ? 1 : 0;
    if (*flag == 0) {
        return MPI_SUCCESS;
    }
    DAMPI_CHECK(answer.completions.size() == 1);
    Request& request = *Layer::current()->requests.find(handle);
    complete_buffers(*Layer::current(), call, request);
    request.told = true;
    StatusOf used(status);
    return deliver(call, request.special().work->error_place(),
                   request.special().work->peek(call, answer.completions.front(), used.get()));
}

int start(Call& call, MPI_Request* request) noexcept { return start_one(call, request); }

int startall(Call& call, int count, MPI_Request* requests) noexcept {
    if (count < 0) {
        return raise(call, MPI_COMM_NULL, Wrong::argument);
    }
    if (std::find(requests, requests + count, MPI_REQUEST_NULL) != requests + count) {
        return raise(call, MPI_COMM_NULL, Wrong::request);  // refused as a whole
    }
    for (int i = 0; i < count; ++i) {
        const int result = start_one(call, &requests[i]);
        if (result != MPI_SUCCESS) {
            return result;
        }
    }
    return MPI_SUCCESS;
}

int request_free(Call& call, MPI_Request* handle) noexcept {
    Request* request = given_request(handle);
    if (request == nullptr) {
        return raise(call, MPI_COMM_NULL, Wrong::request);
    }
    check_arrays(*Layer::current(), call, *request);
    RankSide& side = *RankSide::current();
    if (request->special().work->is_receive()) {
        note_freed(call, *request, FreedMessage::receive);
    } else if (request->special().work->is_send()) {
        note_freed(call, *request, FreedMessage::send);
    }
    if (request->active) {
        side.tell(transport::requests::FreeCall{.operation = request->special().work->operation()});
    }
    if (request->active && request->special().work->is_receive()) {
        // Its data is still to come.
        request->freed = true;
        Layer::current()->freed_receives.take(Layer::current()->pending_buffers, *request);
        side.keep_freed(request->special().work->arriving(),
                        [own = *handle](const Call& later, const Completion& done) {
                            if (const auto freed = Layer::current()->requests.remove(own)) {
                                MPI_Status status;
                                freed->special().work->complete(later, done, status);
                                forget_received(*Layer::current());
                                RankSide::current()->request_handles.give_back(own);
                            }
                        });
    } else {
        Layer::current()->requests.remove(*handle);
        side.request_handles.give_back(*handle);
    }
    *handle = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int cancel(Call& call, MPI_Request* handle) noexcept {
    Request* request = given_request(handle);
    if (request == nullptr) {
        return raise(call, MPI_COMM_NULL, Wrong::request);
    }
    RankSide& side = *RankSide::current();
    if (request->special().work->is_send()) {
        call.not_modelled();  // it is taken back where nobody has taken it; that it might come too late is not explored
    }
    if (request->active && !request->told && !request->cancel_called && request->special().work->can_be_cancelled()) {
        request->cancel_called = true;
        request->release_buffers();  // whether they will be used nobody knows
        side.tell(transport::requests::CancelCall{.operation = request->special().work->operation(),
                                                  .situation = side.epoch_of(call)});
    }
    return MPI_SUCCESS;
}

}  // namespace dampi::piggyback::central::calls
