// The files that a command line names and that a sweep reads before it begins: what decides whether it passes, and the
// corpus. Whatever is wrong in them is found before anything is run.
#pragma once

#include "scheduler/corpus/corpus.hpp"
#include "scheduler/report/passing.hpp"
#include "scheduler/report/suppressions.hpp"
#include "scheduler/request.hpp"

#include <vector>

namespace dampi::scheduler {

struct GivenFiles {
    std::vector<Passing::Known> baseline;
    std::vector<Suppression> suppressions;
    std::vector<CorpusFile> corpus;  ///< empty where it is to be made
};

/// What the options name, and no more. Throws dampi::Error that names the file, also where the folder of one that is to
/// be written does not exist.
[[nodiscard]] GivenFiles read_given_files(const Options& given);

}  // namespace dampi::scheduler
