// One collective operation as one rank takes part in it: it publishes its clock, waits (where the collective
// does) for the ranks that it gets data from, and learns their clocks. Notices ranks whose part in the same
// collective contradicts this one's: each rank compares with those that it gets data from, or with the two beside it,
// so that of all that have entered some pair is noticed. Which pair a report names is decided outside.
#pragma once

#include "clocks/clock.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/own_touches.hpp"
#include "piggyback/distributed/one_sided/told_accesses.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/collectives/entering.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "piggyback/rank/communicators/names.hpp"
#include "piggyback/rank/sanitizers/thread_runtime.hpp"
#include "piggyback/rank/threads/calls_at_once.hpp"
#include "transport/collective_operation.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace dampi::piggyback::distributed {

/// Whether all members read what all others publish before they leave the call, and may so enter the next: then nothing
/// need be kept for them, and who has given the same need not read it (RankPort::glance).
enum class Reading : std::uint8_t { before_leaving, at_any_time };

/// This rank's part in a collective that it has entered.
struct Entered {
    transport::Contribution own;
    std::uint64_t digest = 0;  ///< of it, for who has given the same; 0: others have to read it
};

/// Enters the next collective on the communicator, with this rank's clock, and returns what was published. `reading`:
/// before_leaving for blocking calls, where it is so if the flow leads from all to all.
Entered publish(DistributedLayer& layer, Communicator& communicator, std::uint32_t operation, const Flow& flow,
                std::uint64_t site, Reading reading = Reading::at_any_time);

/// This rank's part in a collective that it has entered, except for the clock.
[[nodiscard]] transport::Contribution contribution(std::uint32_t operation, const Flow& flow, std::uint64_t site,
                                                   std::uint64_t sequence);

class Meeting {
public:
    /// `entered` is what publish() returned; without its digest, if other collectives may have been entered since.
    Meeting(DistributedLayer& layer, const Call& call, Communicator& communicator, const Flow& flow,
            const Entered& entered)
        : layer_(layer),
          call_(call),
          communicator_(communicator),
          flow_(flow),
          own_(entered.own),
          digest_(entered.digest) {}

    /// Waits in the layer's own loop until all sources have entered, and reads their contributions. When others have
    /// entered something else it waits no longer: what happens then is the MPI library's business. Nor does it after
    /// one with different amounts of data: what MPI does then may need messages of the collectives that follow.
    void await();

    /// Compares with the ranks beside this one (also in the other group of an intercommunicator), as far as they have
    /// entered. Of two that both do this after
    /// publishing, at least one sees the other.
    void look_beside();

    /// Whether known() leaves out what this rank knows now anyway.
    enum class Known : std::uint8_t { news, everything };
    /// Reads the contributions of the sources that have entered, without waiting.
    void collect(Known known);

    /// Makes the native call; marks the rank as blocked in the library if it may have to wait there.
    template <typename Native>
    int call_native(Native&& native) {
        if (may_have_to_wait()) {
            // For whom is the library's secret: any member that has not entered may be needed, or not.
            const BlockedInLibrary blocked(layer_, call_, wait_item(base::any_source));
            return Call::unlocked(native);
        }
        return Call::unlocked(native);
    }

    /// What the sources knew, when it is about to be told; null for nothing.
    [[nodiscard]] clocks::Snapshot known() const;
    /// The program gets to know what the sources knew.
    void learn() { layer_.clocks.learn(known()); }

private:
    [[nodiscard]] transport::WaitItem wait_item(base::Rank peer) const {
        return {.kind = transport::WaitKind::collective,
                .forced = 0,
                .peer = peer,
                .tag = 0,
                .comm = communicator_.id,
                .number = own_.sequence};
    }
    /// 0 while the rank has not begun anything on the communicator.
    transport::Token record(int index, transport::Token& searched);
    /// Whether the rank of the record has entered this collective; not for 0.
    [[nodiscard]] bool has_entered(transport::Token record) const;
    bool is_there(int index);
    void read(transport::Token record, int index);
    /// Learns of the clock of a rank that has given just what this one has; false: its contribution has to be read.
    bool read_at_a_glance(transport::Token record, int index);
    void learn_of(int index, transport::ClockName clock);
    /// Returns whether nothing differs.
    bool compare(const transport::Contribution& other, int index);
    /// Whether what one of both gives the other is not what that asks for: then they become the parts that say so.
    bool compare_shares(base::Rank rank, transport::Contribution& mine, transport::Contribution& theirs) const;
    void log_mismatch(const transport::Contribution& mine, const transport::Contribution& other, int index);
    /// Whether the native call may have to wait: not all members have been seen to enter.
    bool may_have_to_wait();
    [[nodiscard]] bool reads_everyone() const {
        return flow_.sources == Flow::Sources::everyone && flow_.counts.null();
    }

    DistributedLayer& layer_;
    const Call& call_;
    Communicator& communicator_;
    const Flow& flow_;
    transport::Contribution own_;
    std::uint64_t digest_;  ///< of it, if it can be all that there is to say; else 0
    clocks::Clock clock_;
    transport::VirtualTime passed_ = 0;  ///< for the sources when they entered
    bool mismatch_ = false;              ///< the native call may hang
    bool out_of_order_ = false;          ///< the sources may never come
    Known reads_ = Known::news;
    const bool after_uneven_one_ = communicator_.uneven;
};

/// Whether it is a collective that no member leaves before all have entered it: a new phase begins for windows.
inline bool synchronises(DistributedLayer& layer, const Communicator& communicator, const Flow& flow) {
    return !layer.windows.empty() && !communicator.inter && flow.sources == Flow::Sources::everyone &&
           flow.counts.null() && flow.readers + 1 == communicator.members.size();
}

/// This rank has left a collective.
inline void note_synchronised(DistributedLayer& layer, const Communicator& communicator, const Flow& flow) {
    if (synchronises(layer, communicator, flow)) {
        layer.windows.synchronised(communicator, layer.size(),
                                   [&](Window& window) { note_phase_begun(layer, window); });
    }
}

/// All have entered it, and nobody has left.
inline void note_all_there(DistributedLayer& layer, const Communicator& communicator, const Flow& flow) {
    if (synchronises(layer, communicator, flow)) [[unlikely]] {
        layer.windows.for_each_covered(communicator, layer.size(), [&](Window& window) {
            count_unseen_touches(layer, window);
            tell_at_end_of_phase(layer, window);
        });
    }
}

/// MPI has refused a collective that this rank has entered (aliased buffers, say), in this rank alone perhaps. From now
/// on its numbers of collectives there are not those of the others: nothing is compared, and nobody is waited for.
void note_refused(DistributedLayer& layer, Communicator& communicator);
/// What that makes of those that follow.
inline constexpr const char* after_a_refused_one = "collectives after a refused one";

/// A collective call that lasts, or begins: no other thread is to make one there meanwhile.
class OneCollective {
public:
    OneCollective(DistributedLayer& layer, const Call& call, const Communicator& communicator)
        : only_(call, replay::ViolationKind::thread_collective,
                communicator.handle != MPI_COMM_NULL ? " on the same communicator" : " on the same window or file") {
        only_.use(layer, reinterpret_cast<std::uintptr_t>(&communicator));
    }

private:
    CallsAtOnce only_;
};

/// A whole blocking collective on a communicator that the layer knows, with valid edges.
template <typename Native>
int meet(DistributedLayer& layer, const Call& call, Communicator& communicator, transport::Collective collective,
         const Flow& flow, Native&& native) {
    const std::uint32_t operation = operation_number(collective, transport::CollectiveForm::blocking);
    const OneCollective only(layer, call, communicator);
    note_entering(layer, call, communicator, flow);
    Meeting meeting(layer, call, communicator, flow,
                    publish(layer, communicator, operation, flow, call.site(), Reading::before_leaving));
    if (communicator.disordered) {
        layer.count_not_modelled(after_a_refused_one);
        return blocked_in_library(call, native);
    }
    meeting.await();
    note_all_there(layer, communicator, flow);
    const int result = meeting.call_native(native);
    if (result == MPI_SUCCESS) {
        meeting.learn();
        note_synchronised(layer, communicator, flow);
    } else {
        note_refused(layer, communicator);
    }
    return result;
}

/// Makes a window or opens a file, which is a collective on `comm` in which MPICH lets nobody go on before all are
/// there. `group` becomes a stand-in with the members, on which the collectives of what was made meet; null if the
/// layer does not know the communicator. `arguments`: as Flow::arguments.
template <typename Native>
int make_on(const Call& call, MPI_Comm comm, transport::Collective collective, std::uint64_t arguments,
            std::shared_ptr<Communicator>& group, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (communicator == nullptr) {
        return blocked_in_library(call, native);
    }
    const std::uint64_t number = communicator->collectives;
    Flow flow = everyone_to_everyone(*communicator);
    flow.arguments = arguments;
    const int result = alone(*communicator) ? native() : meet(layer, call, *communicator, collective, flow, native);
    if (result == MPI_SUCCESS) {
        group = stand_apart(layer, *communicator, call.function(), number);
        group->apart = false;  // its collectives differ from each other
    }
    return result;
}

/// A request that will be followed as a nonblocking collective; change it to a persistent one if it is that.
[[nodiscard]] std::unique_ptr<Request> make_collective_request(const Call& call, Communicator& communicator,
                                                               std::uint32_t operation, const Flow& flow);

/// Counts a call on a communicator that is valid, but unknown to the layer; hands `result` on.
int note_unknown(DistributedLayer& layer, int result);

}  // namespace dampi::piggyback::distributed
