// The program's arrays of requests and statuses, as a call that completes requests needs them.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/threads/calls_at_once.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::distributed {

/// A request that MPI has completed.
struct Completion {
    std::uint32_t position = 0;  ///< in the array
    MPI_Status* status = nullptr;
};

/// The call has failed with this code: records what its statuses say.
void note_failed(const Call& call, int code, std::span<const Completion> completed);

namespace request_array_detail {
/// So many need no memory from the heap; as in MPICH.
inline constexpr std::size_t few = 64;
}  // namespace request_array_detail

/// The program's array of requests and what MPI has to see: where a decision put another request in the place
/// of a persistent one, that other request; and null for an inactive persistent collective.
class RequestArray {
public:
    RequestArray(DistributedLayer& layer, int count, MPI_Request* requests);
    RequestArray(const RequestArray&) = delete;
    RequestArray& operator=(const RequestArray&) = delete;

    /// What to pass to MPI, now: pairs of which both halves have completed are complete (pairs.hpp).
    [[nodiscard]] MPI_Request* native();
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    /// PMPI_Testall of native(). MPICH's own fails on persistent collectives and partitioned requests, though its
    /// MPI_Waitall does not: with one among them each request is asked by itself.
    int test_all(int* flag, MPI_Status* statuses);
    /// Whether it is worth to test_all(): false where a request is known that has not completed. MPI_Testall goes
    /// through all of them each time, which is slow for many. So asks about the last one, which mostly completes last,
    /// and when that has not been enough about one after the other, as MPI_Waitall does.
    bool may_be_complete();
    /// Whether MPI_Waitall must be left to MPI: MPICH's MPI_Testall lets several operations on files get into each
    /// other's way, so that they fail or never end, which its MPI_Waitall does not. (Operations on files of one rank
    /// alone are not followed.)
    [[nodiscard]] bool must_wait_natively() const {
        return on_file_ > 1 || (foreign_ > 1 && on_file_ + foreign_ == active_);
    }
    /// As test_all() for only these, all of them active; `statuses` has one for each of them.
    int test_all(std::span<const std::uint32_t> positions, int* flag, MPI_Status* statuses);
    /// As the program gave it: not always a valid one.
    [[nodiscard]] int count() const { return count_; }

    /// How many requests are neither null nor inactive.
    [[nodiscard]] std::size_t active() const { return active_; }
    /// How many of these the layer does not follow.
    [[nodiscard]] std::size_t foreign() const { return foreign_; }
    [[nodiscard]] bool is_active(std::size_t position) const {
        const Entry& entry = entries_[position];
        return entry.active;
    }
    /// Whether MPI's answer is foregone: the program has been told of each active one that it is complete, or knows of
    /// the only one whether it is.
    [[nodiscard]] bool all_told() const;
    /// Whether one of the active ones, or each of them, is complete and the program knows that, or must be told so when
    /// it asks: with MPI_PROC_NULL.
    [[nodiscard]] bool any_sure() const;
    [[nodiscard]] bool all_sure() const;
    /// The program's handles.
    [[nodiscard]] std::vector<MPI_Request> handles() const;
    [[nodiscard]] std::vector<std::uint32_t> active_positions() const;
    /// With the program's handle of each.
    template <typename Each>
    void for_each_active(Each&& each) const {
        for (const Entry& entry : entries_) {
            if (entry.active) {
                each(entry.handle);
            }
        }
    }

    void describe(WaitDescription& description) const;
    /// Only these, which a decision names.
    void describe(WaitDescription& description, std::span<const std::uint32_t> decided) const;

    /// The active ones are what choice `index` can report; of a stretch of polling calls, the call number `poll`.
    void record_candidates(const Call& call, std::uint32_t index, std::uint32_t poll = 0);

    /// MPI has completed these, and their native requests are gone (or inactive). Settles and forgets them; says for
    /// each what the program is to learn (null for nothing).
    std::vector<clocks::Snapshot> finish(const Call& call, std::span<const Completion> completed);
    clocks::Snapshot finish(const Call& call, const Completion& completed);
    /// Does what finish() does for a call that leaves no choice: the program learns all of it.
    void finish_and_learn(const Call& call, std::span<const Completion> completed);

    /// All active ones, with `statuses` for the whole array.
    [[nodiscard]] std::vector<Completion> all(MPI_Status* statuses) const;
    /// Those whose native requests are gone after a call for all of them that failed.
    [[nodiscard]] std::vector<Completion> gone(MPI_Status* statuses);

    /// All have completed: MPI_Waitall says so in the statuses, MPI_Testall leaves their codes as they are.
    void clear_codes(MPI_Status* statuses) const;

    /// What a call that has completed one request returns where MPI has returned `native`, after finish(): the halves
    /// of a pair may have failed.
    [[nodiscard]] int result(int native) const;
    /// What a call returns that has completed several. Writes the codes into their statuses as MPI does.
    [[nodiscard]] int result(int native, std::span<const Completion> completed) const;

private:
    [[nodiscard]] bool is_sure(std::size_t position) const;
    struct Entry {
        MPI_Request handle;
        Request* request;  ///< at first: others of the same handle may be finished by another thread
        bool active;
        MPI_Request native;  ///< what MPI has to see at first

        [[nodiscard]] bool substituted() const { return native != handle; }
    };

    static bool is_message(const Entry& entry) {
        return !entry.active ||
               (entry.request != nullptr && !entry.request->partitioned &&
                (entry.request->kind == RequestKind::receive || entry.request->kind == RequestKind::send));
    }

    /// The receives among several that have completed are resolved in posting order, since none can be asked any more
    /// when a later one needs it.
    void settle_receives(const Call& call, std::span<const Completion> completed);
    [[nodiscard]] bool has_completed(const Entry& entry) const;

    DistributedLayer& layer_;
    int count_;
    MPI_Request* requests_;
    std::array<Entry, request_array_detail::few> few_;  // left as it is where it is not needed
    std::vector<Entry> many_;
    std::span<Entry> entries_;
    std::vector<MPI_Request> natives_;
    bool substituted_ = false;
    bool each_by_itself_ = false;
    bool pairs_ = false;
    bool only_messages_ = true;         ///< sends and receives, and nothing special about them
    bool last_has_completed_ = false;   ///< of may_be_complete()
    std::size_t first_incomplete_ = 0;  ///< likewise: those before it have completed
    struct Failure {
        MPI_Status* status;
        int code;
    };
    std::vector<Failure> failures_;  ///< of halves of pairs
    std::size_t active_ = 0;
    std::size_t foreign_ = 0;
    std::size_t on_file_ = 0;  ///< collectives on files
};

/// A call that waits for the active requests of the array: no other thread is to wait for one of them meanwhile.
class OneWaits {
public:
    OneWaits(DistributedLayer& layer, const Call& call, const RequestArray& array)
        : only_(call, replay::ViolationKind::thread_request, " for the same request") {
        if (layer.locks_calls) [[unlikely]] {
            array.for_each_active([&](MPI_Request handle) {
                // Sends that are complete from the beginning share one handle.
                int complete = 0;
                if (PMPI_Request_get_status(handle, &complete, MPI_STATUS_IGNORE) == MPI_SUCCESS && complete == 0) {
                    only_.use(layer, static_cast<std::uint64_t>(handle));
                }
            });
        }
    }
    /// Before others may get handles that MPI has taken back.
    void end() { only_.end(); }

private:
    CallsAtOnce only_;
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
    StatusArray(const StatusArray&) = delete;
    StatusArray& operator=(const StatusArray&) = delete;

    [[nodiscard]] MPI_Status* data() { return used_; }
    [[nodiscard]] MPI_Status& operator[](std::size_t i) { return used_[i]; }

private:
    std::array<MPI_Status, request_array_detail::few> few_;
    std::vector<MPI_Status> own_;
    MPI_Status* used_;
};

}  // namespace dampi::piggyback::distributed
