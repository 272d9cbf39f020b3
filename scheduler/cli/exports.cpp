// See exports.hpp.
#include "scheduler/cli/exports.hpp"

#include "base/check.hpp"
#include "scheduler/report/exports/code_quality.hpp"
#include "scheduler/report/exports/junit.hpp"
#include "scheduler/report/exports/sarif.hpp"
#include "scheduler/report/exports/trace.hpp"
#include "scheduler/report/source_root.hpp"

#include <algorithm>

namespace dampi::scheduler {

ExportFiles export_files(const Options& options) {
    return {
        .junit = options.junit, .sarif = options.sarif, .code_quality = options.code_quality, .trace = options.trace};
}

void require_folders(const ExportFiles& files) {
    for (const auto& file : {files.junit, files.sarif, files.code_quality, files.trace}) {
        const std::filesystem::path folder = file ? file->parent_path() : std::filesystem::path();
        if (!folder.empty() && !std::filesystem::is_directory(folder)) {
            throw Error("the folder of " + file->string() + " does not exist: make it first");
        }
    }
}

void write_exports(const ExportFiles& files, std::span<const ReportInputs> sweeps) {
    const std::filesystem::path root = source_root(std::filesystem::current_path());
    if (files.junit) {
        write_junit(*files.junit, sweeps, root);
    }
    if (files.sarif) {
        write_sarif(*files.sarif, sweeps, root);
    }
    if (files.code_quality) {
        write_code_quality(*files.code_quality, sweeps, root);
    }
    if (files.trace && !sweeps.empty()) {
        const auto found = std::find_if(sweeps.begin(), sweeps.end(),
                                        [](const ReportInputs& each) { return !each.result.findings.empty(); });
        write_trace(*files.trace, found == sweeps.end() ? sweeps.front() : *found);
    }
}

}  // namespace dampi::scheduler
