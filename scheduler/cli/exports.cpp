// See exports.hpp.
#include "scheduler/cli/exports.hpp"

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "scheduler/report/exports/code_quality.hpp"
#include "scheduler/report/exports/junit.hpp"
#include "scheduler/report/exports/sarif.hpp"
#include "scheduler/report/exports/trace.hpp"
#include "scheduler/report/kept_report.hpp"
#include "scheduler/report/source_root.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace dampi::scheduler {

ExportFiles export_files(const Options& options) {
    return {
        .junit = options.junit, .sarif = options.sarif, .code_quality = options.code_quality, .trace = options.trace};
}

std::vector<std::filesystem::path> own_files_of(const std::filesystem::path& directory) {
    return {directory / "report.json", directory / "report.html", directory / kept_report_name, directory / "journal"};
}

void require_writable(const ExportFiles& files, const std::vector<std::filesystem::path>& to_be_kept) {
    namespace fs = std::filesystem;
    std::vector<fs::path> before;
    std::error_code unknown;  // whatever cannot be looked at is told when it is written
    for (const auto& file : {files.junit, files.sarif, files.code_quality, files.trace}) {
        if (!file) {
            continue;
        }
        const fs::path folder = file->has_parent_path() ? file->parent_path() : fs::path(".");
        if (!fs::is_directory(folder, unknown)) {
            throw Error("the folder of " + file->string() + " does not exist: make it first");
        }
        if (fs::is_directory(*file, unknown)) {
            throw Error(file->string() + " is a directory: give the name of a file");
        }
        const bool is_there = fs::exists(*file, unknown);
        if (::access(is_there ? file->c_str() : folder.c_str(), W_OK) != 0) {
            throw Error("cannot write " + file->string() + ": " + std::strerror(errno));
        }
        const fs::path whole = fs::weakly_canonical(fs::absolute(*file, unknown), unknown);
        const bool is_device = base::is_no_plain_file(*file);
        for (const fs::path& other : to_be_kept) {
            if (!is_device && fs::weakly_canonical(fs::absolute(other, unknown), unknown) == whole) {
                throw Error("a report would be written over " + file->string() +
                            ", which is needed itself: give it a file of its own");
            }
        }
        if (!is_device && std::find(before.begin(), before.end(), whole) != before.end()) {
            throw Error("two reports would be written to " + file->string() + ": give each a file of its own");
        }
        before.push_back(whole);
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
