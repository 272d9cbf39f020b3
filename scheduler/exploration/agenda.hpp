// The alternatives that are left to be run, and which of them comes next (heuristics::Order). Knows their names and how
// new they are, nothing else of them; whatever comes next, the same is left in the end.
#pragma once

#include "heuristics/novelty.hpp"
#include "heuristics/order.hpp"
#include "scheduler/exploration/lesson.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <unordered_set>
#include <utility>
#include <vector>

namespace dampi::scheduler {

class Agenda {
public:
    Agenda(heuristics::Order order, std::uint64_t seed) : order_(order), random_(seed) {}

    /// Not one that is there.
    void add(const AlternativeName& name, const heuristics::Behaviour& behaviour);
    /// One that is there.
    void remove(const AlternativeName& name);

    /// The next one, which stays; nothing when nothing is left. `few_runs`: whatever the order, depth first, so that
    /// soon something has nothing left.
    [[nodiscard]] std::optional<AlternativeName> next(bool few_runs);

    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Whether an alternative of this run is left.
    [[nodiscard]] bool has(std::uint64_t run) const { return runs_.contains(run); }

    /// Also for what a run shows that is new.
    [[nodiscard]] heuristics::Novelty& novelty() { return novelty_; }
    [[nodiscard]] const heuristics::Novelty& novelty() const { return novelty_; }

private:
    struct Left {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> alternatives;  ///< step and index; depth first: the last
        std::size_t place = 0;                                              ///< in any_order_
    };
    struct New {
        AlternativeName name;
        heuristics::Behaviour behaviour;
    };

    void add_if_new(New each);
    [[nodiscard]] bool contains(const AlternativeName& name) const;
    [[nodiscard]] std::optional<AlternativeName> newest();
    [[nodiscard]] std::size_t any(std::size_t count);

    heuristics::Order order_;
    std::mt19937_64 random_;
    std::map<std::uint64_t, Left> runs_;    ///< by number; none is empty
    std::vector<std::uint64_t> any_order_;  ///< their numbers
    std::uint64_t size_ = 0;
    heuristics::Novelty novelty_;
    /// By level, what was that new when it came. One for each digest; the others are not new any more when it was run.
    std::array<std::vector<New>, heuristics::Novelty::levels + 1> new_;
    std::unordered_set<std::uint64_t> listed_;  ///< digests in new_, now or once
};

}  // namespace dampi::scheduler
