// The directory of a sweep: the journal, what the program printed, decision files, graphs, report.json. Only what
// earlier sweeps left there is ever removed.
#pragma once

#include "replay/engine_kind.hpp"
#include "replay/journal.hpp"
#include "scheduler/cli/settled_request.hpp"
#include "scheduler/sweep/sweep_account.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dampi::scheduler {

class SweepDirectory {
public:
    explicit SweepDirectory(std::filesystem::path path) : path_(std::move(path)) {}

    /// Creates it for a new sweep, or clears it; nobody else may use it as long as the lock lives. The journal of a
    /// sweep that was not finished is set aside, and `set_aside` says where. Throws dampi::Error when it cannot be used
    /// or holds what is not from a sweep.
    [[nodiscard]] replay::JournalLock begin(std::optional<std::filesystem::path>& set_aside) const;
    /// Takes hold of it for going on with the sweep in it; changes nothing. Throws dampi::Error when there is none.
    [[nodiscard]] replay::JournalLock reopen() const;
    /// Removes the reports of the sweep that goes on. Throws dampi::Error.
    void clear_reports() const;

    [[nodiscard]] std::filesystem::path journal() const { return path_ / "journal"; }
    /// For what the program prints.
    [[nodiscard]] std::filesystem::path output() const { return path_ / "output"; }
    /// For copies of the working directory; there only as long as there are any.
    [[nodiscard]] std::filesystem::path fresh() const;

    /// Writes one decision file for each finding; returns their paths relative to the directory.
    /// `result` has them, `engine` is the one that has made them.
    [[nodiscard]] std::vector<std::filesystem::path> save_decisions(const SweepResult& result,
                                                                    const std::vector<Finding>& findings,
                                                                    const SettledRequest& request,
                                                                    replay::EngineKind engine) const;
    /// Likewise a file with the choices alone that each of them needs, where these are known and fewer than all; beside
    /// the finding's own, of which `files` are the paths.
    [[nodiscard]] std::vector<std::filesystem::path> save_needed_choices(
        const SweepResult& result, const std::vector<std::filesystem::path>& files, const SettledRequest& request,
        replay::EngineKind engine) const;
    /// Writes the wait-for graph of each finding that has one, named as its decision file; returns the paths likewise.
    [[nodiscard]] std::vector<std::filesystem::path> save_graphs(
        const std::vector<Finding>& findings, const std::vector<std::filesystem::path>& decision_files,
        const Options& options) const;
    /// Of each finding: what is not empty of the files that the program printed into in the run that shows it; paths
    /// likewise.
    [[nodiscard]] std::vector<std::vector<std::filesystem::path>> kept_output(
        const std::vector<Finding>& findings) const;

private:
    void clear(std::initializer_list<const char*> parts) const;

    std::filesystem::path path_;
};

/// Removes what runs printed, except for those that findings come from and for the last ten.
class OutputKeeper {
public:
    /// `output`: SweepDirectory::output().
    explicit OutputKeeper(std::filesystem::path output) : output_(std::move(output)) {}

    /// A sweep goes on: whatever is there of runs that findings do not come from is removed.
    void begin(const SweepAccount& account);
    /// The run with this number has been taken in.
    void taken_in(std::uint64_t number, const SweepAccount& account);

private:
    void remove(std::uint64_t number) const;

    std::filesystem::path output_;
    std::deque<std::uint64_t> last_;
    std::set<std::uint64_t> kept_;  ///< because findings came from them when they left last_
};

}  // namespace dampi::scheduler
