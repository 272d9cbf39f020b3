// Decides from facts whether ranks of a watched job wait for each other for ever: from what the light layer counts of
// messages and says of each rank's call. No time plays a part. Whatever the layer does not follow counts as something
// that may happen, so that no job that could go on is called a deadlock. Pure.
#pragma once

#include "replay/members.hpp"
#include "replay/wait_for_graph.hpp"
#include "transport/watch/watch_board.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler::watch {

/// What the light layer says of one rank at one moment.
struct RankFacts {
    struct Need {
        transport::watch::NeedKind kind = transport::watch::NeedKind::unknown;
        std::uint64_t communicator = 0;  ///< its name
        int peer = transport::watch::anything;
        int tag = transport::watch::anything;
        std::uint64_t number = 0;
        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, kind, communicator, peer, tag, number);
        }
    };
    struct Communicator {
        std::uint64_t name = 0;
        int size = 0;
        int own = 0;
        std::uint64_t collectives = 0;
        std::uint64_t received = 0;
        std::uint64_t anonymous = 0;
        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, name, size, own, collectives, received, anonymous);
        }
    };
    struct Counts {
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
        std::uint64_t posted = 0;
        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, sent, received, posted);
        }
    };

    int rank = 0;
    int size = 0;             ///< of its job
    std::uint64_t stamp = 0;  ///< another one as soon as the rank has begun or ended a call
    bool ended = false;       ///< it will not communicate any more: it is in MPI_Finalize, or through with it
    bool blocked = false;     ///< in a call that waits
    bool any = false;         ///< one of its needs is enough
    std::string function;
    std::vector<Need> needs;
    std::vector<Communicator> communicators;
    std::map<std::uint64_t, Counts> pairs;  ///< by transport::watch::key_of_pair
    bool has_counts = true;                 ///< else nothing is supposed to be on its way
    bool tags_lost = false;                 ///< only the counts of all tags are true
    std::string doubt;                      ///< why nothing is to be concluded; empty: nothing
    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, rank, size, stamp, ended, blocked, any, function, needs, communicators, pairs,
                        has_counts, tags_lost, doubt);
    }
};

/// Whether MPI might yet find room for a standard message whose receive is not there.
enum class Room : std::uint8_t { may_be_found, is_none };

struct Conclusion {
    std::vector<bool> stuck;  ///< by rank; empty: nobody is
    replay::WaitForGraph graph;
    std::string doubt;  ///< why nothing can be concluded; empty: this is all there is
};

/// `ranks`: in any order.
[[nodiscard]] Conclusion find_deadlock(const std::vector<RankFacts>& ranks, Room room);

/// Facts that were read one after the other, as of one moment between two rounds of reading: those of the second, but
/// whoever has begun or ended a call since the first counts as not blocked. What others have sent meanwhile may count:
/// it only keeps from conclusions.
[[nodiscard]] std::vector<RankFacts> of_one_moment(const std::vector<RankFacts>& first, std::vector<RankFacts> second);

}  // namespace dampi::scheduler::watch

template <>
struct dampi::replay::LastValue<dampi::transport::watch::NeedKind> {
    static constexpr auto value = dampi::transport::watch::NeedKind::unknown;
};
