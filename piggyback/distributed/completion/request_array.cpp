#include "piggyback/distributed/completion/request_array.hpp"

#include "piggyback/distributed/completion/finishing.hpp"
#include "piggyback/distributed/completion/pairs.hpp"
#include "piggyback/distributed/completion/settling.hpp"
#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/one_sided/conflicts.hpp"
#include "piggyback/rank/buffers/used_buffers.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/resources/access_requests.hpp"
#include "piggyback/rank/status.hpp"
#include "replay/misuse.hpp"

#include <algorithm>
#include <utility>

namespace dampi::piggyback::distributed {
namespace {

/// Whether MPI's answer about this request follows from what the program has done: it goes nowhere, so it is complete,
/// or the program completes it (and no other thread can at any time).
bool is_foregone(const DistributedLayer& layer, const Request& request) {
    return (request.kind == RequestKind::send && request.peer == MPI_PROC_NULL) ||
           (request.kind == RequestKind::generalized && !layer.multithreaded);
}

/// Whether it stands for a single message, and is all that the program and MPI know of it.
bool is_active_message(const Request& request) {
    return (request.kind == RequestKind::receive || request.kind == RequestKind::send) && !request.persistent &&
           !request.partitioned && request.active && !request.freed;
}

/// MPI_Testall by way of the calls for one request.
int test_each(std::span<MPI_Request> requests, int* flag, MPI_Status* statuses) {
    *flag = 0;
    for (const MPI_Request request : requests) {
        int completed = 1;
        if (request != MPI_REQUEST_NULL && peek(request, &completed, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
            completed == 0) {
            return MPI_SUCCESS;
        }
    }
    *flag = 1;
    std::vector<int> codes;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        int completed = 0;
        codes.push_back(PMPI_Test(&requests[i], &completed, &statuses[i]));
    }
    if (std::all_of(codes.begin(), codes.end(), [](int code) { return code == MPI_SUCCESS; })) {
        return MPI_SUCCESS;
    }
    for (std::size_t i = 0; i < requests.size(); ++i) {
        statuses[i].MPI_ERROR = codes[i];
    }
    return MPI_ERR_IN_STATUS;
}

}  // namespace

void note_failed(const Call& call, int code, std::span<const Completion> completed) {
    if (code != MPI_SUCCESS && replay::error_class_of(code) == MPI_ERR_IN_STATUS) {
        for (const Completion& each : completed) {
            note_error(call, each.status->MPI_ERROR);
        }
    }
}

RequestArray::RequestArray(DistributedLayer& layer, int count, MPI_Request* requests)
    : layer_(layer), count_(count), requests_(requests) {
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
        if (entry.request != nullptr && is_active_message(*entry.request)) {
            entry.active = true;
            entry.native = entry.handle;
            ++active_;
            continue;
        }
        entry.active = entry.handle != MPI_REQUEST_NULL && (entry.request == nullptr || entry.request->active);
        entry.native = entry.request == nullptr ? entry.handle : entry.request->native();
        if (entry.request == nullptr || entry.request->freed) {
            note_used_up(layer, entry.handle);
        }
        substituted_ = substituted_ || entry.substituted();
        each_by_itself_ =
            each_by_itself_ ||
            (entry.request != nullptr && (entry.request->is_persistent_collective() || entry.request->partitioned));
        on_file_ += entry.request != nullptr && entry.request->on_file ? 1U : 0U;
        pairs_ = pairs_ || (entry.request != nullptr && entry.request->kind == RequestKind::pair);
        only_messages_ = only_messages_ && is_message(entry);
        if (is_active(i)) {
            ++active_;
            foreign_ += entry.request == nullptr ? 1U : 0U;
        }
    }
    if (substituted_) {
        natives_.resize(size);
        for (std::size_t i = 0; i < size; ++i) {
            natives_[i] = entries_[i].native;
        }
    }
}

MPI_Request* RequestArray::native() {
    if (pairs_) {
        for (const Entry& entry : entries_) {
            if (entry.request != nullptr && entry.request->kind == RequestKind::pair) {
                advance(*entry.request);
            }
        }
    }
    return substituted_ ? natives_.data() : requests_;
}

int RequestArray::test_all(int* flag, MPI_Status* statuses) {
    return each_by_itself_ ? test_each(std::span(native(), size()), flag, statuses)
                           : PMPI_Testall(count_, native(), flag, statuses);
}

bool RequestArray::has_completed(const Entry& entry) const {
    int completed = 1;
    return !entry.active || peek(entry.native, &completed, MPI_STATUS_IGNORE) != MPI_SUCCESS || completed != 0;
}

bool RequestArray::may_be_complete() {
    constexpr std::size_t worth_asking = 8;
    if (!only_messages_ || size() <= worth_asking) {
        return true;
    }
    if (!last_has_completed_) {
        last_has_completed_ = has_completed(entries_.back());
        return last_has_completed_;
    }
    while (first_incomplete_ < size() && has_completed(entries_[first_incomplete_])) {
        ++first_incomplete_;
    }
    return first_incomplete_ == size();
}

int RequestArray::test_all(std::span<const std::uint32_t> positions, int* flag, MPI_Status* statuses) {
    std::vector<MPI_Request> natives;
    for (const std::uint32_t position : positions) {
        natives.push_back(native()[position]);
    }
    const int result = each_by_itself_ ? test_each(natives, flag, statuses)
                                       : PMPI_Testall(static_cast<int>(natives.size()), natives.data(), flag, statuses);
    for (std::size_t i = 0; i < natives.size(); ++i) {
        native()[positions[i]] = natives[i];
    }
    return result;
}

bool RequestArray::all_told() const {
    if (size() == 1 && entries_[0].request != nullptr && is_foregone(layer_, *entries_[0].request)) {
        return true;
    }
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (is_active(i) && (entries_[i].request == nullptr || !entries_[i].request->told)) {
            return false;
        }
    }
    return true;
}

bool RequestArray::is_sure(std::size_t position) const {
    const Request* request = entries_[position].request;
    return request != nullptr &&
           (request->told || (request->kind == RequestKind::send && request->peer == MPI_PROC_NULL));
}

bool RequestArray::any_sure() const {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (is_active(i) && is_sure(i)) {
            return true;
        }
    }
    return false;
}

bool RequestArray::all_sure() const {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (is_active(i) && !is_sure(i)) {
            return false;
        }
    }
    return true;
}

std::vector<MPI_Request> RequestArray::handles() const {
    std::vector<MPI_Request> handles;
    handles.reserve(entries_.size());
    for (const Entry& entry : entries_) {
        handles.push_back(entry.handle);
    }
    return handles;
}

std::vector<std::uint32_t> RequestArray::active_positions() const {
    std::vector<std::uint32_t> positions;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (is_active(i)) {
            positions.push_back(static_cast<std::uint32_t>(i));
        }
    }
    return positions;
}

void RequestArray::describe(WaitDescription& description) const {
    for (const Entry& entry : entries_) {
        if (const Request* request = layer_.requests.find(entry.handle)) {
            description.add(*request);
        } else if (entry.handle != MPI_REQUEST_NULL && entry.request == nullptr) {
            description.add({.kind = transport::WaitKind::foreign});
        }
    }
}

void RequestArray::describe(WaitDescription& description, std::span<const std::uint32_t> decided) const {
    for (const std::uint32_t position : decided) {
        if (const Request* request = layer_.requests.find(entries_[position].handle)) {
            description.add(*request, true);
        }
    }
}

void RequestArray::record_candidates(const Call& call, std::uint32_t index, std::uint32_t poll) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (is_active(i)) {
            record_candidate(layer_, call, {.choice = index, .position = static_cast<std::uint32_t>(i), .poll = poll},
                             *layer_.requests.find(entries_[i].handle));
        }
    }
}

void RequestArray::settle_receives(const Call& call, std::span<const Completion> completed) {
    std::vector<std::pair<Request*, const MPI_Status*>> receives;
    receives.reserve(completed.size());
    for (const Completion& each : completed) {
        const Entry& entry = entries_[each.position];
        Request* request = layer_.locks_calls ? layer_.requests.find(entry.handle) : entry.request;
        if (request != nullptr && request->active && request->kind == RequestKind::receive && !request->taken &&
            !was_cancelled(*each.status)) {
            receives.emplace_back(request, each.status);
        }
    }
    const auto earlier = [](const auto& a, const auto& b) {
        return a.first->posting.posted.order < b.first->posting.posted.order;
    };
    if (!std::is_sorted(receives.begin(), receives.end(), earlier)) {
        std::sort(receives.begin(), receives.end(), earlier);
    }
    // Where nothing else is pending nobody will ask about one of them on behalf of another.
    if (layer_.pending.size() != receives.size()) {
        for (const auto& [request, status] : receives) {
            mark_completed(layer_, request->posting.posted.order);
        }
    }
    for (const auto& [request, status] : receives) {
        settle(layer_, call, *request, *status);
    }
}

std::vector<clocks::Snapshot> RequestArray::finish(const Call& call, std::span<const Completion> completed) {
    if (completed.size() > 1) {
        settle_receives(call, completed);
    }
    std::vector<clocks::Snapshot> known;
    known.reserve(completed.size());
    for (const Completion& each : completed) {
        known.push_back(finish(call, each));
    }
    return known;
}

void RequestArray::finish_and_learn(const Call& call, std::span<const Completion> completed) {
    if (completed.size() > 1) {
        settle_receives(call, completed);
    }
    // What a generalized request teaches is what is known here: so nothing is learned before all are finished.
    std::vector<clocks::Snapshot> news;
    for (const Completion& each : completed) {
        clocks::Snapshot known = finish(call, each);
        if (known && known != layer_.clocks.now()) {
            news.push_back(std::move(known));
        }
    }
    for (const clocks::Snapshot& each : news) {
        layer_.clocks.learn(each);
    }
}

clocks::Snapshot RequestArray::finish(const Call& call, const Completion& completed) {
    const std::size_t i = completed.position;
    const Entry& entry = entries_[i];
    if (substituted_ && !entry.substituted()) {
        requests_[i] = natives_[i];
    }
    // Looked up again: equal handles of operations that completed at once are several requests.
    Request* request = layer_.requests.find(entry.handle);
    if (request == nullptr) {
        const auto check = [&](const PendingUse& pending) { check_unchanged(layer_, call, nullptr, pending); };
        end_waited_read(layer_, entry.handle);
        if (access_requests().remove(entry.handle, check)) {
            layer_.requests.remove_apart(entry.handle);
        }
    }
    if (request == nullptr || !request->active) {
        return nullptr;
    }
    correct_status(*request, *completed.status);
    const std::shared_ptr<Pair> pair = request->kind == RequestKind::pair ? request->special().pair : nullptr;
    clocks::Snapshot known = distributed::finish(layer_, call, *request, *completed.status);
    if (pair && pair->code != MPI_SUCCESS) {
        failures_.push_back({.status = completed.status, .code = pair->code});
    }
    return known;
}

void RequestArray::clear_codes(MPI_Status* statuses) const {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (entries_[i].handle != MPI_REQUEST_NULL) {
            statuses[i].MPI_ERROR = MPI_SUCCESS;
        }
    }
}

int RequestArray::result(int native) const { return failures_.empty() ? native : failures_.front().code; }

int RequestArray::result(int native, std::span<const Completion> completed) const {
    if (failures_.empty()) {
        return native;
    }
    if (native == MPI_SUCCESS) {
        for (const Completion& each : completed) {
            each.status->MPI_ERROR = MPI_SUCCESS;
        }
    }
    for (const Failure& failure : failures_) {
        failure.status->MPI_ERROR = failure.code;
    }
    return MPI_ERR_IN_STATUS;
}

std::vector<Completion> RequestArray::all(MPI_Status* statuses) const {
    std::vector<Completion> all;
    all.reserve(active_);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (is_active(i)) {
            all.push_back({.position = static_cast<std::uint32_t>(i), .status = &statuses[i]});
        }
    }
    return all;
}

std::vector<Completion> RequestArray::gone(MPI_Status* statuses) {
    std::vector<Completion> gone;
    for (const Completion& each : all(statuses)) {
        if (each.status->MPI_ERROR != MPI_ERR_PENDING && native()[each.position] == MPI_REQUEST_NULL) {
            gone.push_back(each);
        }
    }
    return gone;
}

}  // namespace dampi::piggyback::distributed
