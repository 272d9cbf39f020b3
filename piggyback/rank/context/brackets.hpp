// The brackets that the program sets around parts of itself with MPI_Pcontrol, to say how much of them is to be
// explored (dissertation: loop iteration abstraction). They nest. The rank only records in which of them an epoch is
// posted; what follows from that is dampi-run's business, and MPI gets every level as if nobody looked.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace dampi::piggyback {

class Brackets {
public:
    struct Bracket {
        int level = 0;
        std::uint64_t site = 0;  ///< of the call that opened it
        // of it and those around it
        bool self_run_only = false;                 ///< some have level 1
        std::optional<std::uint32_t> mixing_bound;  ///< the smallest
    };

    /// MPI_Pcontrol(1) opens a bracket in which only the self run's matches are taken, MPI_Pcontrol(2 + K) one with the
    /// mixing bound K, MPI_Pcontrol(0) closes the innermost; other levels mean nothing. False: there is none to close.
    bool control(int level, std::uint64_t site);

    /// What holds here.
    [[nodiscard]] Bracket innermost() const { return open_.empty() ? Bracket{} : open_.back(); }
    /// From outside to inside.
    [[nodiscard]] const std::vector<Bracket>& open() const { return open_; }

    /// Whether nothing was said of this call yet; from now on it was.
    bool first_note(std::uint64_t site) { return noted_.insert(site).second; }

private:
    std::vector<Bracket> open_;
    std::set<std::uint64_t> noted_;
};

}  // namespace dampi::piggyback
