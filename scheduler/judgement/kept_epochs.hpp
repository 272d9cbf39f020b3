// How much of a run is kept to be explored, whatever the run was like: so many epochs, with what they could also have
// come to. What is kept of them is closed: nothing in it depends on what is not.
#pragma once

#include "replay/run_record.hpp"

#include <cstdint>
#include <vector>

namespace dampi::scheduler {

/// What is kept of one run, all ranks together, in units of some hundred bytes.
inline constexpr std::uint64_t most_kept_units = 400'000;

// Units of what is recorded of an epoch, and of what could have been otherwise at it.
inline constexpr std::uint64_t units_of_epoch = 8;
inline constexpr std::uint64_t units_of_receive = 4;
inline constexpr std::uint64_t units_of_alternative = 2;

/// How much each rank may keep, if all together may keep `most` and this is what they have: those with little keep it
/// all, the others the same.
[[nodiscard]] std::uint64_t share_of_each(std::vector<std::uint64_t> wanted, std::uint64_t most);

/// Removes what depends on epochs that are not kept: epochs, and alternatives of others.
void keep_closed(replay::RunRecord& record);

}  // namespace dampi::scheduler
