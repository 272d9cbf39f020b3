// What makes two violations the same one for people, who mend causes: kind, and the calls and places of the ranks in
// their roles. Decides nothing about whether something is a violation.
#pragma once

#include "replay/violation.hpp"

#include <set>
#include <string>
#include <string_view>

namespace dampi::replay {

/// RankSituation::call of a rank whose main has returned, in the place of a call.
inline constexpr std::string_view main_returned = "return";

/// The ranks that have no part in the cause, though reports tell what they do: which these are, and where each stands,
/// depends on how far it has come before. Of a deadlock those that are blocked only because others are: they are not in
/// the core, and what they wait for leads there. Of a hang all but those that do not come back to MPI.
[[nodiscard]] std::set<Rank> bystanders(const Violation& violation);

/// What violations of one cause have in common: the kind, and what ranks called where, each once, in whatever ranks and
/// how often that was; of a crash also the signal, of an exit what it came without, and what a sanitizer has said.
/// Bystanders do not count.
/// Copies that the compiler made of a line are one place. Where no place is known the message counts; of a doubt
/// without its numbers.
[[nodiscard]] std::string cause_of(const Violation& violation);

/// Takes `other`, of the same cause and seen in the same run, into `violation`: its ranks, and what they were doing.
/// Where its message says something else, that goes with its first rank.
void take_in(Violation& violation, Violation other);

/// Notes in `violation` that something of this kind came of it, which is told for itself no more. Its own kind is none.
void add_consequence(Violation& violation, ViolationKind kind);

}  // namespace dampi::replay
