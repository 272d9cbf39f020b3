// The requests of this rank that the layer follows: what each stands for, so that its completion can be
// understood, a blocked rank can say what it waits for, and those never completed can be reported.
#pragma once

#include "base/digest.hpp"
#include "base/types.hpp"
#include "clocks/lazy_clocks.hpp"
#include "piggyback/rank/buffers/pending.hpp"
#include "piggyback/rank/count.hpp"
#include "piggyback/rank/handle_map.hpp"
#include "piggyback/rank/library_values.hpp"
#include "piggyback/rank/shared_handles.hpp"
#include "replay/epoch.hpp"
#include "transport/log.hpp"
#include "transport/words.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback {

struct CollectiveEdges;
struct Communicator;
namespace distributed {
struct Pair;
}
namespace central {
class Work;
}

enum class RequestKind : std::uint8_t {
    receive,
    send,
    collective,
    pair,         ///< a send and a receive (pairs.hpp)
    generalized,  ///< the program's own
};

/// What a receive asks for, and where.
struct Asked {
    transport::TypedData data;
    std::uint64_t site = 0;
    transport::VirtualTime at = 0;  ///< RankPort::passed() then
};

/// A receive or probe that the program has issued.
struct Posting {
    clocks::Posted posted;                 ///< its spec as the program asked, in world ranks
    base::Rank forced = base::any_source;  ///< world rank that MPI is told instead: decided, or picked at random
    int source = MPI_ANY_SOURCE;           ///< what to tell MPI: rank in the communicator
    LibraryValues values{};                ///< of MPI's operation
    Asked asked{};                         ///< by a receive
};

/// How a message goes out.
enum class Way : std::uint8_t {
    as_asked,
    synchronous,  ///< in synchronous mode: MPI completes the send with its receive
    rendezvous,   ///< the same for a large message, which the receiver may take in long after the match
    copied,       ///< as a copy: the program's send has nothing to do with the receive
};

[[nodiscard]] constexpr bool is_synchronous(Way way) { return way == Way::synchronous || way == Way::rendezvous; }

/// A message that the program sends, and its envelope.
struct Outgoing {
    transport::SentEnvelope envelope;  ///< none: not sent yet
    base::Rank destination = 0;
    std::uint64_t number = 0;
    Way way = Way::as_asked;
};

/// What a message holds, as its sender has described it.
struct SentData {
    base::MessageName name;
    base::Tag tag = 0;
    transport::TypedData data{};
    std::uint64_t send_site = 0;  ///< address in the sender
};

/// The message that a receive has taken.
struct TakenMessage {
    clocks::Snapshot after;  ///< clocks::Match::after: what the program learns when it gets to know; null for nothing
    bool known = true;       ///< false: it came without an envelope
    transport::VirtualTime sent_at = 0;  ///< Envelope::sent_at
    /// Of a matched probe: its sender waits for the receive (release_held()); none if it does not.
    transport::HeldEnvelope held;
    std::shared_ptr<const SentData> sent;  ///< of a matched probe that has found an envelope
};

/// A request as one that an epoch could have reported.
struct Candidacy {
    std::uint32_t choice = 0;    ///< the epoch's index
    std::uint32_t position = 0;  ///< of the request in the call
    std::uint32_t poll = 0;      ///< of a stretch of polling calls: the number of the call
};

/// An epoch that chooses among requests, or one of a sequence of polling calls.
struct Choice {
    std::uint32_t index = 0;
    clocks::Snapshot posted;  ///< what the program knew when it was issued, or answered
    clocks::Posted probe;     ///< of polling probes: as it was issued first
    /// What is decided; null when nothing is. Of a kind that has the same form; whether its positions or its source
    /// make sense for the call is for the caller to see (diverge() if not).
    const transport::RankDecision* decision = nullptr;
    // Of a polling call, as replay::Epoch has them.
    replay::Repetition repetition = replay::Repetition::not_tried;
    std::uint32_t turns_after = 0;
    std::uint32_t round = 0;
};

/// What was in memory.
struct RememberedContents {
    std::int64_t begin = 0;  ///< address of the first byte; 0 for nothing
    std::vector<char> bytes;
};

/// What only few requests have.
struct SpecialRequest {
    std::optional<Choice> too_late;      ///< MPI_Cancel was called, and had no effect: its epoch
    std::vector<Candidacy> candidacies;  ///< of all but receives: choices that wait for Request::known

    std::optional<std::uint64_t> buffered_bytes;  ///< of a persistent send of the buffered mode: its data
    transport::TypedData data;                    ///< of a persistent send

    // persistent receives: needed to start a named one under a decision; persistent sends that are copied
    void* buffer = nullptr;
    Count count;
    MPI_Datatype datatype = MPI_DATATYPE_NULL;

    std::vector<bool> ready;  ///< of a partitioned request: which of its partitions are ready, or have arrived

    std::vector<BufferUse> uses;  ///< of a persistent request: the buffers that each start uses
    /// Of a persistent collective: the arrays among the arguments of the call that made it, which are its own until it
    /// is freed.
    HeldBuffers arrays;
    RememberedContents contents;  ///< of its small receive buffer, where that is watched
    /// Of a persistent request: CallStacks::number_of_few() of the call that made it.
    std::uint32_t stack = transport::EpochPostedRecord::no_stack;

    // collectives
    std::uint64_t sequence = 0;
    std::uint32_t operation = 0;
    std::shared_ptr<CollectiveEdges> edges;  ///< whose clocks are learned at completion
    /// Of a persistent collective, a file's collective or a partitioned transfer: `communicator`, which only its starts
    /// use.
    std::shared_ptr<Communicator> apart;

    std::shared_ptr<distributed::Pair> pair;
    std::shared_ptr<central::Work> work;  ///< with the centralized engine: what is to be done
    base::Digest made;                    ///< likewise, where states are compared: of the call that made it
};

/// Nonblocking messages have one each: what they do not need is in SpecialRequest.
struct Request {
    RequestKind kind = RequestKind::send;
    Way way = Way::as_asked;  ///< of a send
    bool persistent = false;
    bool active = true;            ///< false for a persistent request that is not started
    bool was_started = false;      ///< of a persistent one: at least once
    bool freed = false;            ///< the program has freed it; MPI's handle is kept until it completes
    bool told = false;             ///< MPI_Request_get_status has told the program that it is complete
    bool cancel_called = false;    ///< MPI_Cancel, for a message
    bool ready = false;            ///< a persistent send of the ready mode
    bool partitioned = false;      ///< a partitioned send or receive
    bool on_file = false;          ///< a collective on a file
    bool is_told = false;          ///< what is wrong with it is said: it is no leak besides
    bool from_nobody = false;      ///< it receives from MPI_PROC_NULL
    bool others_released = false;  ///< none of those behind it with the same handle holds buffers
    bool never_active = false;  ///< persistent, of MPI_PROC_NULL: MPICH takes it for inactive when it is started, too
    MPI_Request handle = MPI_REQUEST_NULL;
    MPI_Request started = MPI_REQUEST_NULL;  ///< of a persistent one: stands in for `handle` while a decision renames
                                             ///< a receive's source, or MPI would take `handle` for inactive
    int peer = 0;       ///< of a persistent request: rank in the communicator, as the program gave it
    base::Tag tag = 0;  ///< of a send
    Communicator* communicator = nullptr;
    const char* function = "";
    std::uint64_t site = 0;

    HeldBuffers buffers;  ///< while it is pending, as far as the program knows

    // receives
    Posting posting;
    std::optional<TakenMessage> taken;  ///< set once it is known what it matched, which may be before it completes

    // sends
    Outgoing outgoing;
    LibraryValues values;  ///< of a synchronous one

    // all but receives
    std::optional<clocks::Snapshot> known;  ///< set once it has completed: what that teaches (null for nothing)

    /// MPICH hands out one and the same handle for all operations that completed at once.
    std::unique_ptr<Request> next_with_same_handle;

    /// To read; as at its beginning if there is nothing special about the request.
    [[nodiscard]] const SpecialRequest& special() const { return special_ == nullptr ? nothing_special_ : *special_; }
    /// To write.
    SpecialRequest& make_special() {
        if (special_ == nullptr) {
            special_ = std::make_unique<SpecialRequest>();
        }
        return *special_;
    }

    /// Of one that Requests::find() has given: which of those with this handle the program means nobody knows, so the
    /// buffers of all of them are released. Calls `visit(PendingUse)` for each before it is gone.
    template <typename Visit>
    void release_buffers(Visit&& visit) {
        for (Request* each = this; each != nullptr;) {
            Request* const next = each->others_released ? nullptr : each->next_with_same_handle.get();
            each->buffers.release(visit);
            each->others_released = true;
            each = next;
        }
    }
    void release_buffers() {
        release_buffers([](const PendingUse& /*pending*/) {});
    }

    [[nodiscard]] bool is_persistent_collective() const { return persistent && kind == RequestKind::collective; }

    /// There is one for each nonblocking message, so memory is used again. With the layer's lock.
    static void* operator new(std::size_t size) {
        if (unused_ == nullptr) {
            return ::operator new(size);
        }
        return std::exchange(unused_, unused_->next);
    }
    static void operator delete(void* memory) noexcept { unused_ = ::new (memory) Unused{unused_}; }

    /// What to ask MPI about. Null for an inactive persistent collective: MPICH calls it pending before its first
    /// start, and completed once more after each.
    [[nodiscard]] MPI_Request native() const {
        if (started != MPI_REQUEST_NULL) {
            return started;
        }
        return is_persistent_collective() && !active ? MPI_REQUEST_NULL : handle;
    }

private:
    struct Unused {
        Unused* next;
    };
    static inline Unused* unused_ = nullptr;
    static inline constinit const SpecialRequest nothing_special_{};

    std::unique_ptr<SpecialRequest> special_;
};

/// A message that MPI_Mprobe has taken and nobody received yet.
struct MatchedMessage {
    Communicator* communicator = nullptr;
    base::ReceiveSpec spec;
    TakenMessage taken;
    const char* function = "";
};

class Requests {
public:
    void add_message(MPI_Message message, const MatchedMessage& matched) { messages_.insert(message, matched); }
    std::optional<MatchedMessage> take_message(MPI_Message message) {
        const MatchedMessage* found = messages_.find(message);
        if (found == nullptr) {
            return std::nullopt;
        }
        const MatchedMessage matched = *found;
        messages_.erase(message);
        return matched;
    }

    /// For add(). (Without setting all of it to zero first.)
    static std::unique_ptr<Request> make() { return std::make_unique_for_overwrite<Request>(); }

    /// Follows a request; the reference stays valid until it is removed.
    Request& add(MPI_Request handle, std::unique_ptr<Request> request) {
        request->handle = handle;
        Request& added = *request;
        newest_ = handle;
        newest_request_ = &added;
        if (std::unique_ptr<Request>* same = by_handle_.find(handle)) {  // null: one that is used up
            request->next_with_same_handle = std::move(*same);
            *same = std::move(request);
        } else {
            by_handle_.insert(handle, std::move(request));
        }
        return added;
    }

    /// Null for a request that the layer does not follow.
    [[nodiscard]] Request* find(MPI_Request handle) {
        if (handle == MPI_REQUEST_NULL) {
            return nullptr;
        }
        std::unique_ptr<Request>* found = by_handle_.find(handle);
        return found == nullptr ? nullptr : found->get();
    }

    /// Of a request that has just been added: what find() says, more quickly.
    [[nodiscard]] Request* find_newest(MPI_Request handle) {
        return handle == newest_ && newest_request_ != nullptr && handle != MPI_REQUEST_NULL ? newest_request_
                                                                                             : find(handle);
    }

    /// Stops following the request that find() gives for this handle, and returns it. The handle stays known as one
    /// that is used up. (MPI uses handles again, so there are never more than it had at one time.)
    std::unique_ptr<Request> remove(MPI_Request handle) {
        std::unique_ptr<Request>* found = by_handle_.find(handle);
        if (found == nullptr || *found == nullptr) {
            return nullptr;
        }
        std::unique_ptr<Request> removed = std::move(*found);
        *found = std::move(removed->next_with_same_handle);
        if (removed.get() == newest_request_) {
            newest_ = MPI_REQUEST_NULL;
        }
        return removed;
    }

    /// As add(), of a request that somebody else follows (resources/access_requests.hpp).
    void add_apart(MPI_Request handle) {
        if (const std::unique_ptr<Request>* found = by_handle_.find(handle); found != nullptr && *found == nullptr) {
            by_handle_.erase(handle);
        }
        newest_ = handle;
        newest_request_ = nullptr;
    }

    /// As remove(), of such a one.
    void remove_apart(MPI_Request handle) {
        if (by_handle_.find(handle) == nullptr) {
            by_handle_.insert(handle, nullptr);
        }
    }

    /// The program has got this request from MPI. If it is not the one just added, the layer knows nothing of it.
    void handed_out(MPI_Request handle) {
        if (handle == std::exchange(newest_, MPI_REQUEST_NULL)) {
            return;
        }
        if (const std::unique_ptr<Request>* found = by_handle_.find(handle); found != nullptr && *found == nullptr) {
            by_handle_.erase(handle);
        }
        note_shared(handle);
    }

    /// Whether the program has no such request (any more): it has completed, or is freed.
    [[nodiscard]] bool is_used_up(MPI_Request handle) {
        const std::unique_ptr<Request>* found = by_handle_.find(handle);
        if (found == nullptr) {
            return false;  // one of those that the layer knows nothing of
        }
        return *found == nullptr
                   ? std::find(unknown_shared_.begin(), unknown_shared_.end(), handle) == unknown_shared_.end()
                   : (*found)->freed;
    }

    /// A used-up handle of the program's was handed to MPI. If it is one of those that several requests share, MPI has
    /// taken it for another of them: how many there are is not known any more.
    void used_again(MPI_Request handle) { note_shared(handle); }

    /// Whether the program has surely fewer active requests of this handle than so many, all of which their completion
    /// frees.
    [[nodiscard]] bool are_fewer(MPI_Request handle, std::ptrdiff_t number) {
        const Request* each = find(handle);
        if (each == nullptr ||
            std::find(unknown_shared_.begin(), unknown_shared_.end(), handle) != unknown_shared_.end()) {
            return false;
        }
        for (; each != nullptr; each = each->next_with_same_handle.get(), --number) {
            if (each->persistent || each->freed) {
                return false;
            }
        }
        return number > 0;
    }

    /// Whether anything that is still to come refers to this communicator.
    [[nodiscard]] bool refer_to(const Communicator& communicator) {
        bool found = false;
        for_each([&](const Request& request) { found = found || request.communicator == &communicator; });
        messages_.for_each(
            [&](int, const MatchedMessage& message) { found = found || message.communicator == &communicator; });
        return found;
    }

    template <typename Visit>
    void for_each(Visit&& visit) {
        by_handle_.for_each([&](int, std::unique_ptr<Request>& first) {
            for (Request* request = first.get(); request != nullptr; request = request->next_with_same_handle.get()) {
                visit(*request);
            }
        });
    }

private:
    /// Of the handles that MPICH hands out for operations that complete at once, several may be about at a time.
    void note_shared(MPI_Request handle) {
        if (is_shared_handle(handle) &&
            std::find(unknown_shared_.begin(), unknown_shared_.end(), handle) == unknown_shared_.end()) {
            unknown_shared_.push_back(handle);
        }
    }

    HandleMap<std::unique_ptr<Request>> by_handle_;  ///< null: used up
    MPI_Request newest_ = MPI_REQUEST_NULL;
    Request* newest_request_ = nullptr;  ///< as long as there is a newest one
    std::vector<MPI_Request> unknown_shared_;
    HandleMap<MatchedMessage> messages_;
};

}  // namespace dampi::piggyback
