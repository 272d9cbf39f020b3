// See given_files.hpp.
#include "scheduler/cli/given_files.hpp"

#include "scheduler/cli/exports.hpp"
#include "scheduler/report/pass_criteria.hpp"

#include <filesystem>

namespace dampi::scheduler {

namespace {

/// What no report may be written over.
std::vector<std::filesystem::path> own_files(const Options& given) {
    std::vector<std::filesystem::path> all = own_files_of(given.output);
    all.emplace_back(given.program);
    for (const auto& file : {given.baseline, given.suppressions, given.replay}) {
        if (file) {
            all.push_back(*file);
        }
    }
    return all;
}

}  // namespace

GivenFiles read_given_files(const Options& given) {
    require_writable(export_files(given), own_files(given));
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
