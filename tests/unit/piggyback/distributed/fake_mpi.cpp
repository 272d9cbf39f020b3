#include "tests/unit/piggyback/distributed/fake_mpi.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace dampi::piggyback::distributed {
namespace {

constexpr unsigned most_looks = 100'000;
constexpr MPI_Request first_request = static_cast<MPI_Request>(0x98000000U);
constexpr MPI_Message first_message = static_cast<MPI_Message>(0xac000000U);

bool fits(const FakeMpi::Receive& wanted, const FakeMpi::Message& message) {
    return wanted.comm == message.comm && (wanted.source == MPI_ANY_SOURCE || wanted.source == message.source) &&
           (wanted.tag == MPI_ANY_TAG || wanted.tag == message.tag);
}

[[noreturn]] void give_up(const char* what) {
    std::fprintf(stderr, "fake MPI: %s\n", what);
    std::abort();
}

}  // namespace

void write_status(MPI_Status* status, const FakeMpi::Message& message, bool cancelled) {
    if (status == MPI_STATUS_IGNORE) {
        return;
    }
    status->MPI_SOURCE = message.source;
    status->MPI_TAG = message.tag;
    status->count_lo = message.bytes;
    status->count_hi_and_cancelled = cancelled ? 1 : 0;
}

FakeMpi& FakeMpi::current() {
    if (current_ == nullptr) {
        give_up("is called outside of a test");
    }
    return *current_;
}

std::optional<int> FakeMpi::enter(const char* function) {
    ++calls_[function];
    if (const auto happens = at_call_.find(function); happens != at_call_.end()) {
        happens->second();
    }
    const auto found = refused_.find(function);
    if (found == refused_.end()) {
        return std::nullopt;
    }
    const int code = found->second;
    refused_.erase(found);
    return code;
}

unsigned FakeMpi::calls(const std::string& function) const {
    const auto found = calls_.find(function);
    return found == calls_.end() ? 0 : found->second;
}

void FakeMpi::look() {
    if (++looks_ > most_looks) {
        give_up("the rank waits for what does not come");
    }
    if (auto now = at_look_.extract(looks_)) {
        now.mapped()();
    }
}

void FakeMpi::deliver(int source, int tag, MPI_Comm comm, int bytes) {
    unexpected_.push_back({.source = source, .tag = tag, .comm = comm, .bytes = bytes});
    match();
}

void FakeMpi::match() {
    for (auto message = unexpected_.begin(); message != unexpected_.end();) {
        const auto receive = std::find_if(posted_.begin(), posted_.end(), [&](MPI_Request request) {
            return fits(operations_.at(request).wanted, *message);
        });
        if (receive == posted_.end()) {
            ++message;
            continue;
        }
        Operation& matched = operations_.at(*receive);
        matched.message = *message;
        matched.complete = true;
        posted_.erase(receive);
        message = unexpected_.erase(message);
    }
}

void FakeMpi::complete_sends() {
    sends_complete_ = true;
    for (auto& [handle, operation] : operations_) {
        if (operation.kind == Kind::send && operation.active) {
            operation.complete = true;
        }
    }
}

MPI_Request FakeMpi::start(Operation operation) {
    const MPI_Request request = first_request + next_handle_++;
    operation.active = false;
    const bool persistent = operation.persistent;
    operations_.emplace(request, std::move(operation));
    if (!persistent) {
        begin(request);
    }
    return request;
}

void FakeMpi::begin(MPI_Request request) {
    Operation& operation = operations_.at(request);
    operation.active = true;
    operation.cancelled = false;
    operation.complete =
        operation.kind == Kind::send && (sends_complete_ || operation.sent.destination == MPI_PROC_NULL);
    if (operation.kind == Kind::send) {
        sends_.push_back(operation.sent);
        return;
    }
    if (operation.kind != Kind::receive) {
        return;
    }
    receives_.push_back(operation.wanted);
    if (operation.wanted.source == MPI_PROC_NULL) {
        operation.message = {.source = MPI_PROC_NULL, .tag = MPI_ANY_TAG};
        operation.complete = true;
        return;
    }
    posted_.push_back(request);
    match();
}

int FakeMpi::receive(MPI_Request* request, int source, int tag, MPI_Comm comm, bool persistent) {
    *request = start(
        {.kind = Kind::receive, .wanted = {.source = source, .tag = tag, .comm = comm}, .persistent = persistent});
    return MPI_SUCCESS;
}

int FakeMpi::send(const char* function, MPI_Request* request, int destination, int tag, bool persistent) {
    *request = start({.kind = Kind::send,
                      .sent = {.function = function, .destination = destination, .tag = tag},
                      .persistent = persistent});
    return MPI_SUCCESS;
}

FakeMpi::Operation* FakeMpi::find(MPI_Request request) {
    const auto found = operations_.find(request);
    return found == operations_.end() ? nullptr : &found->second;
}

bool FakeMpi::is_over(MPI_Request request) {
    if (request == MPI_REQUEST_NULL) {
        return true;
    }
    const Operation* operation = find(request);
    if (operation == nullptr) {
        give_up("there is no such request");
    }
    return !operation->active || operation->complete;
}

void FakeMpi::tell(MPI_Request request, MPI_Status* status) {
    const Operation* operation = request == MPI_REQUEST_NULL ? nullptr : find(request);
    if (operation == nullptr || !operation->active || operation->kind != Kind::receive) {
        write_status(status, {.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG},
                     operation != nullptr && operation->cancelled);
        return;
    }
    write_status(status, operation->message, operation->cancelled);
}

void FakeMpi::finish(MPI_Request* request, MPI_Status* status) {
    tell(*request, status);
    Operation* operation = *request == MPI_REQUEST_NULL ? nullptr : find(*request);
    if (operation == nullptr) {
        return;
    }
    if (operation->persistent) {
        operation->active = false;
    } else {
        forget(request);
    }
}

void FakeMpi::cancel(MPI_Request request) {
    Operation& operation = operations_.at(request);
    if (operation.complete) {
        return;
    }
    std::erase(posted_, request);
    operation.complete = true;
    operation.cancelled = true;
}

const FakeMpi::Message* FakeMpi::unexpected(int source, int tag, MPI_Comm comm) const {
    const auto found = std::find_if(unexpected_.begin(), unexpected_.end(), [&](const Message& message) {
        return fits({.source = source, .tag = tag, .comm = comm}, message);
    });
    return found == unexpected_.end() ? nullptr : &*found;
}

MPI_Message FakeMpi::take(const Message* message) {
    const auto found =
        std::find_if(unexpected_.begin(), unexpected_.end(), [&](const Message& each) { return &each == message; });
    const MPI_Message handle = first_message + next_handle_++;
    probed_.emplace(handle, *found);
    unexpected_.erase(found);
    return handle;
}

FakeMpi::Message FakeMpi::taken(MPI_Message* message) {
    const auto found = probed_.extract(*message);
    *message = MPI_MESSAGE_NULL;
    return found.mapped();
}

}  // namespace dampi::piggyback::distributed
