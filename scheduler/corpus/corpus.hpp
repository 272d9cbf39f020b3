// A corpus: a directory of decision files that are kept, so that what once failed is run first in each sweep. Decides
// which of them are for this program and what has become of each; never how one is run, and never changes a file that
// is there. A file may be of an earlier build of the program: whether it still fits is seen when it is run.
#pragma once

#include "replay/decision_file.hpp"
#include "replay/engine_kind.hpp"
#include "scheduler/corpus_case.hpp"
#include "scheduler/request.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dampi::scheduler {

struct CorpusFile {
    std::string name;  ///< within the directory
    replay::DecisionFile content;
};

/// All `*.json` of the directory, by their names. Throws dampi::Error that names the directory or the file where one
/// cannot be read or is damaged.
[[nodiscard]] std::vector<CorpusFile> read_corpus(const std::filesystem::path& directory);

/// What the run of one file shows: a sweep of that interleaving alone. Where it cannot be run, one that has explored
/// nothing, and has left out why.
using RunOfCorpusFile = std::function<SweepResult(const CorpusFile&)>;

struct CorpusReplay {
    struct Each {
        CorpusCase what;
        SweepResult result;  ///< empty where it was not run
    };
    std::vector<Each> files;
};

/// Runs those that are for the sweep that these settled options describe, one after the other, as long as `go_on` says
/// so. Throws what `run` throws.
[[nodiscard]] CorpusReplay replay_corpus(const std::vector<CorpusFile>& files, const Options& options,
                                         const RunOfCorpusFile& run, const std::function<bool()>& go_on);

/// Takes what the files have shown into the result of the sweep that followed, each cause once; a file that could not
/// be run is left out of it. Of a stale file only violations count. Returns what has become of each file.
[[nodiscard]] std::vector<CorpusCase> take_in_corpus(CorpusReplay replay, SweepResult& result);

/// Copies decision files into the directory, which is made if need be; `fingerprints`: of their findings
/// (report/fingerprint.hpp), by which a finding that the corpus has is not added again. Empty paths are left out.
/// Returns the names of those that are new. Throws dampi::Error.
[[nodiscard]] std::vector<std::string> add_to_corpus(const std::filesystem::path& directory,
                                                     const std::vector<std::filesystem::path>& decision_files,
                                                     const std::vector<std::string>& fingerprints);

}  // namespace dampi::scheduler
