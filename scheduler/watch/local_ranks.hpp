// The ranks of a job on this machine, as both eyes see them, and what they are asked: answers are plain values, which
// travel where the ranks of other machines are watched, too (remote_ranks.hpp).
#pragma once

#include "launch/program/variables.hpp"
#include "replay/members.hpp"
#include "scheduler/watch/board_eye.hpp"
#include "scheduler/watch/facts.hpp"
#include "scheduler/watch/progress_graph.hpp"
#include "scheduler/watch/stack_eye.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dampi::scheduler::watch {

enum class Ask : std::uint8_t {
    look,          ///< whether ranks get on
    look_closely,  ///< also where in the program each is, and what the kernel says of its process
    stacks,        ///< the same, and the stacks of all
    needs,         ///< facts without counts of messages
    facts,
    histories,
    variables,  ///< the integers of the functions on the stack, by name
    terminate,  ///< a signal for all: SIGTERM, and SIGCONT
    kill,       ///< SIGKILL
    dump_core,  ///< SIGABRT, and SIGCONT
    end,        ///< nothing more is asked
};

struct Question {
    Ask ask = Ask::look;
    std::vector<int> ranks;  ///< of `variables`: whose
    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, ask, ranks);
    }
};

struct RankVariables {
    int rank = 0;
    std::vector<launch::LocalNumber> numbers;  ///< innermost functions first
    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, rank, numbers);
    }
};

/// Of the ranks of one machine, or of several together; in the order of ranks.
struct Answer {
    int size = 0;  ///< of the job; 0: not known
    Look look;
    std::vector<StackLook> stacks;
    std::vector<RankFacts> facts;
    std::vector<RankHistory> histories;
    std::vector<RankVariables> variables;
    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, size, look, stacks, facts, histories, variables);
    }
};

/// Those that have loaded the light layer.
class LocalRanks {
public:
    explicit LocalRanks(const std::filesystem::path& boards) : boards_(boards) {}

    [[nodiscard]] Answer answer(const Question& question);
    [[nodiscard]] bool has_any() const { return boards_.size_of_jobs() > 0; }

private:
    void find_ranks();
    void look_at_stacks(Answer& answer);
    void signal(const std::vector<int>& numbers);

    BoardEye boards_;
    StackEye stacks_;
    std::chrono::steady_clock::time_point last_search_{};
};

}  // namespace dampi::scheduler::watch

template <>
struct dampi::replay::LastValue<dampi::scheduler::watch::Ask> {
    static constexpr auto value = dampi::scheduler::watch::Ask::end;
};
