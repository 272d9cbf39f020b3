// What the order of messages changes in the ranks' memory, where the user has asked for it (--explain-order): for
// people, never part of a verdict. Plain values.
#pragma once

#include "replay/buffering.hpp"
#include "replay/epoch.hpp"
#include "replay/members.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// A variable of the program of which bytes are others in two runs.
struct ChangedVariable {
    std::string name;            ///< "total"
    std::string part;            ///< of it, the first that differs: "total", "sums[2]", "first->next->value"
    std::string type;            ///< of that part: "double"; empty: not known
    std::string kind;            ///< "global", "local", "heap" (it points there), "symbol" (nothing more is known)
    std::string function;        ///< whose variable it is; empty: no function's
    replay::CodePlace declared;  ///< no line: not known
    std::uint64_t bytes = 0;     ///< of all parts that differ
    std::uint64_t parts = 0;
    std::string one;    ///< what that part is in the one run; empty: its type does not say how to write it
    std::string other;  ///< in the other

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, name, part, type, kind, function, declared, bytes, parts, one, other);
    }
};

/// Two runs in which choices came out differently, and what of a rank's memory is another then.
struct OrderEffect {
    struct Choice {
        std::string call;
        replay::CodePlace where;

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, call, where);
        }
    };
    /// What the choices of a rank came to.
    struct Taken {
        replay::Rank rank = 0;
        std::string one;  ///< in the one run: "1, 3, 2"
        std::string other;

        template <typename Archive>
        void serialize(Archive& archive, unsigned /*version*/) {
            replay::members(archive, rank, one, other);
        }
    };

    replay::Rank rank = 0;           ///< whose memory
    std::vector<replay::Rank> also;  ///< in whose memory the same variables are others, sorted
    std::vector<Choice> choices;     ///< that came out differently, by place
    std::vector<Taken> taken;
    std::string call;         ///< in which the rank stands then
    replay::CodePlace where;  ///< of that call
    std::vector<ChangedVariable> variables;
    replay::Buffering buffering;
    std::uint64_t one = 0;  ///< numbers of the interleavings
    std::uint64_t other = 0;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, rank, also, choices, taken, call, where, variables, buffering, one, other);
    }
};

struct OrderAccount {
    bool asked = false;
    std::string why_not;         ///< a part of a sentence: why nothing can be said; empty: it can
    std::uint64_t compared = 0;  ///< runs of which it is known what their ranks were in MPI_Finalize
    /// In all outcomes of the sweep, which is complete, each rank has the same memory in MPI_Finalize.
    bool nothing_differs = false;
    std::vector<OrderEffect> effects;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, asked, why_not, compared, nothing_differs, effects);
    }
};

}  // namespace dampi::scheduler
