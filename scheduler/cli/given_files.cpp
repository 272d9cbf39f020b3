// See given_files.hpp.
#include "scheduler/cli/given_files.hpp"

#include "scheduler/cli/exports.hpp"
#include "scheduler/report/pass_criteria.hpp"

#include <filesystem>

namespace dampi::scheduler {

GivenFiles read_given_files(const Options& given) {
    require_writable(export_files(given));
    GivenFiles files;
    if (given.baseline) {
        files.baseline = read_baseline(*given.baseline);
    }
    if (given.suppressions) {
        files.suppressions = read_suppressions(*given.suppressions);
    }
    const bool corpus_is_to_be_made = given.corpus_add && !std::filesystem::exists(*given.corpus);
    if (given.corpus && !corpus_is_to_be_made) {
        files.corpus = read_corpus(*given.corpus);
    }
    return files;
}

}  // namespace dampi::scheduler
