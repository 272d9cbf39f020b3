// The choices of a run that nobody has made, put together of parts of runs: it does what one run has done up to a
// state, what another one has done behind the same state, and so on. What follows a state does not depend on how it was
// reached, but its epochs have other indices: so many more or fewer as the rank had before. Pure; whether there is such
// a run is for a run to show.
#pragma once

#include "replay/decision.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace dampi::scheduler {

class WayOverStates {
public:
    /// The way follows a run up to where these of its choices have been made.
    void follow(const std::vector<replay::Decision>& up_to_here);
    /// It is in a state in which another run was when these of that run's choices had been made, and goes on in that
    /// one.
    void change_to(const std::vector<replay::Decision>& up_to_there);

    /// Sorted by epoch. Messages are those of their sources, whatever their number.
    [[nodiscard]] std::vector<replay::Decision> decisions() const;

private:
    std::vector<replay::Decision> made_;
    std::set<replay::EpochId> made_before_;             ///< in the run that it follows
    std::map<replay::Rank, std::int64_t> more_before_;  ///< by so much indices are larger than in that run
};

}  // namespace dampi::scheduler
