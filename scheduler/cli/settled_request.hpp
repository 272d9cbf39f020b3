// What the user asked for, after everything that was left open is settled: the engine, the MPI library, the piggyback,
// and for a replay or a sweep that goes on all that its file says. Looks at the program and at the file; changes
// nothing and runs nothing. From here on nobody changes a part of it.
#pragma once

#include "launch/program/mpi_library.hpp"
#include "launch/program/program.hpp"
#include "replay/decision_file.hpp"
#include "replay/engine_kind.hpp"
#include "replay/piggyback.hpp"
#include "scheduler/cli/sweep_identity.hpp"
#include "scheduler/request.hpp"

#include <filesystem>
#include <string>

namespace dampi::scheduler {

struct SettledRequest {
    Options options;  ///< with an engine, a piggyback and a time
    launch::Program program;
    launch::MpiLibrary mpi_library;  ///< that the ranks get
    bool merges_states = false;      ///< runs may end in states of earlier ones
    bool could_merge = false;        ///< likewise, if it were not for workers
    /// Why the memory of the ranks of two runs cannot be compared, a part of a sentence; empty: it can.
    std::string obstacle_to_comparing;
    std::string engine_reason;  ///< EngineChoice::why
    std::string time_reason;    ///< why time is virtual, or real, for people; empty: nobody would ask

    [[nodiscard]] replay::EngineKind engine() const { return *options.engine; }
    [[nodiscard]] replay::Piggyback piggyback() const { return *options.piggyback; }
};

/// These throw dampi::Error where what is asked for cannot be had with this program. `layer` is libdampi.so.

/// A new sweep.
[[nodiscard]] SettledRequest settle(const Options& given, const std::filesystem::path& layer);

/// What a decision file says about how its run was made counts, except where the user gave another MPI library or other
/// limits. The file's program has to be this one.
[[nodiscard]] SettledRequest settle_replay(const Options& given, const replay::DecisionFile& file,
                                           const std::filesystem::path& layer);

/// For runs of single interleavings beside a sweep with these settled options, of which the decisions are kept in such
/// files, perhaps from an earlier build of the program: by the engine, the clocks and the time of the file.
[[nodiscard]] SettledRequest settle_kept(const Options& settled, const replay::DecisionFile& file,
                                         const std::filesystem::path& layer);

/// Likewise of interleavings of the sweep's own, by the engine that it ended with.
[[nodiscard]] SettledRequest settle_single(const SettledRequest& sweep, replay::EngineKind engine);

/// The sweep goes on with the options with which it was begun, as far as no others are given; what decides what there
/// is to find has to be the same.
[[nodiscard]] SettledRequest settle_resumed(const Options& given, const StoredSweep& stored, const Build& build,
                                            const std::filesystem::path& layer);

}  // namespace dampi::scheduler
