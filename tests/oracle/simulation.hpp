// One run of a small program under a simulated MPI: in one process, without MPI, with the timing that a seed says.
// What MPI does is simulated as an implementation does it, with queues: a receive looks through the messages that have
// arrived, an arriving message through the receives that are posted. Around it stands what the layer does in a real
// rank, with the tool's own clocks and late-message analysis; what comes out is the record that an explorer learns
// from.
#pragma once

#include "clocks/clock.hpp"
#include "replay/decision.hpp"
#include "replay/run_record.hpp"
#include "tests/oracle/instructions.hpp"
#include "tests/oracle/program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dampi::oracle {

/// Who comes first when several things can happen. Anything may be delayed by anything in MPI.
enum class Timing : std::uint8_t {
    random,
    eager,         ///< messages arrive before anybody goes on
    lazy,          ///< and the other way round: messages arrive only when nobody can go on
    latest_first,  ///< likewise, the message sent last first
    one_rank_last,
    one_rank_first,
    stubborn,    ///< a rank goes on as far as it can
    priorities,  ///< ranks and ways between them have fixed random priorities
};
inline constexpr std::uint64_t timings = 8;

struct SimulatedRun {
    replay::RunRecord record;  ///< with no violations: whether it is a deadlock stands here
    bool deadlock = false;
    bool unclear = false;  ///< Comparison::unclear
    bool raced = false;    ///< likewise, for a cancelled receive of which only what happened is known
};

class Simulation {
public:
    explicit Simulation(const Program& program);

    /// Whether it simulates all that the program does. Not matched probes, cancelling, and polls other than MPI_Test:
    /// for these the layer's own code would have to be written again.
    [[nodiscard]] static bool knows(const Program& program);

    /// `seed` chooses the timing. Decisions must be sorted by epoch.
    [[nodiscard]] SimulatedRun run(const std::vector<replay::Decision>& decisions, clocks::Protocol protocol,
                                   std::uint64_t seed) const;

private:
    std::vector<std::vector<Instruction>> code_;  ///< by rank
};

/// What the epochs of a run say of where they stand: the communicator's name (not of choices), the function that an
/// operation's place is in, and that which is the rank's whole program.
[[nodiscard]] std::string simulated_communicator_name(int comm);
[[nodiscard]] std::string simulated_function_name(int place);
[[nodiscard]] std::string simulated_main_name(base::Rank rank);

/// "<-1", or of a choice "=0+2", with "~3" behind if it answered false three times before.
[[nodiscard]] std::string outcome_text(const replay::Outcome& outcome);
/// What the epochs of a run came to, "{0#0<-1 0#1=0+2}".
[[nodiscard]] std::string outcome_text(const replay::RunRecord& record);

}  // namespace dampi::oracle
