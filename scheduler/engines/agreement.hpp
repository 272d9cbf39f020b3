// Whether MPI itself agrees with the centralized engine's model of it: what a run of the one and its repetition by the
// other have in common. Runs nothing.
#pragma once

#include "replay/run_record.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace dampi::scheduler {

/// How `mpi`, a run of the distributed engine under the pinned outcomes of `central`, went otherwise than that one, as
/// a phrase for people; nothing where both agree: it followed its decisions, ranks that come to their end in both had
/// as many epochs, and what is wrong in it was seen in `central`, too, as was what kept ranks from their ends there.
/// What only `central` has seen of the program's data is no difference: it sees more, and some depends on time. Nor is
/// what only `mpi` has seen of the program's own loads and stores: `central` does not look for those in its run.
/// `where` says, in the phrase, which of both is meant: `mpi`.
[[nodiscard]] std::optional<std::string> disagreement(const replay::RunRecord& central, const replay::RunRecord& mpi,
                                                      std::string_view where = "with MPI itself");

}  // namespace dampi::scheduler
