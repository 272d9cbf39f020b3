// Which alternatives of a run are explored and which are deliberately left out: bounded mixing, MPI_Pcontrol brackets,
// bounded loops, parts of the program by name. Pure: an answer follows from the run and from how far the alternatives
// that led to it still let the search go; never from what else was run, in which order, or how many side by side. So a
// larger bound only adds to what a smaller one explores. ARCHITECTURE.md ("Bounds") says what each set is.
#pragma once

#include "heuristics/name_pattern.hpp"
#include "replay/members.hpp"
#include "replay/run_record.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dampi::heuristics {

/// What the distance from an alternative is counted in.
enum class MixingUnit : std::uint8_t {
    epochs,
    zones,  ///< collectives that all ranks take part in
};

/// As the option --mixing-unit takes it.
[[nodiscard]] constexpr std::string_view mixing_unit_name(MixingUnit unit) {
    return unit == MixingUnit::zones ? "zones" : "epochs";
}

struct SearchBoundSettings {
    std::optional<std::uint32_t> mixing_bound;  ///< none: the search goes on without end
    MixingUnit mixing_unit = MixingUnit::epochs;
    bool brackets = true;                     ///< those of MPI_Pcontrol count
    std::optional<std::uint32_t> loop_bound;  ///< iterations of a loop that are explored, 1 or more
    bool loop_bound_automatic = false;        ///< those that bring a new pattern; without loop_bound
    std::vector<NamePattern> explore;         ///< if any: only what one of them names
    std::vector<NamePattern> skip;            ///< not what one of these names

    bool operator==(const SearchBoundSettings&) const = default;
};

/// Why alternatives are left out. Where several reasons hold, the first.
enum class LeftOutBy : std::uint8_t {
    nothing,  ///< they are explored
    name,     ///< --skip, or not --explore
    bracket,
    loop_bound,
    mixing_bound,
};

/// How far the search goes on behind the alternatives that were taken: from the next step, so many, and up to a zone.
struct Room {
    static constexpr std::uint32_t unlimited = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t steps = unlimited;
    std::uint32_t last_zone = unlimited;

    bool operator==(const Room&) const = default;

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, steps, last_zone);
    }
};

/// Of one step of a run.
struct StepBound {
    LeftOutBy left_out_by = LeftOutBy::nothing;
    std::uint32_t zone = 0;
    Room room;  ///< of the runs for its alternatives

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, left_out_by, zone, room);
    }
};

/// The words for what a reason leaves out.
struct LeftOutWords {
    std::string reason;  ///< "mixing-bound": a name for programs
    std::string what;    ///< what follows "N alternatives"
    std::string remedy;  ///< how to include them
};
/// Not for `nothing`.
[[nodiscard]] LeftOutWords words_for(LeftOutBy by, const SearchBoundSettings& settings);

class SearchBounds {
public:
    explicit SearchBounds(SearchBoundSettings settings = {}) : settings_(std::move(settings)) {}

    /// `steps`: the epochs that were free, as places in RunRecord::epochs, in the order of exploration. `room`: of the
    /// run. One answer for each step.
    [[nodiscard]] std::vector<StepBound> of_steps(const replay::RunRecord& record,
                                                  const std::vector<std::size_t>& steps, const Room& room) const;

    [[nodiscard]] const SearchBoundSettings& settings() const { return settings_; }
    /// Whether call stacks must be recorded.
    [[nodiscard]] bool needs_stacks() const;

private:
    [[nodiscard]] std::vector<bool> beyond_loop_bound(const replay::RunRecord& record) const;
    [[nodiscard]] bool named_out(const replay::RunRecord& record, const replay::Epoch& epoch) const;

    SearchBoundSettings settings_;
};

}  // namespace dampi::heuristics

namespace dampi::replay {

template <>
struct LastValue<heuristics::MixingUnit> {
    static constexpr auto value = heuristics::MixingUnit::zones;
};
template <>
struct LastValue<heuristics::LeftOutBy> {
    static constexpr auto value = heuristics::LeftOutBy::mixing_bound;
};

}  // namespace dampi::replay
