// dampi-report: makes any of the reports of sweeps that have ended, from their directories. Runs nothing.

#include "base/check.hpp"
#include "launch/program/program.hpp"
#include "scheduler/cli/command.hpp"
#include "scheduler/cli/exports.hpp"
#include "scheduler/report/index_page.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/kept_report.hpp"
#include "scheduler/report/page.hpp"
#include "scheduler/report/text_report.hpp"

#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace {

using namespace dampi;
using namespace dampi::scheduler;

struct Asked {
    std::vector<std::string> directories;
    std::string junit, sarif, code_quality, trace, html, json, index;
    bool quiet = false;
    bool verbose = false;
};

std::optional<std::filesystem::path> file_of(const std::string& word) {
    return word.empty() ? std::nullopt : std::optional<std::filesystem::path>(word);
}

void declare(CLI::App& app, Asked& asked) {
    app.add_option("OUT", asked.directories, "Directories of sweeps")->required();
    app.add_option("--junit", asked.junit, "Write JUnit's XML, a suite for each sweep");
    app.add_option("--sarif", asked.sarif, "Write SARIF 2.1.0, a run for each sweep");
    app.add_option("--code-quality", asked.code_quality, "Write GitLab's code quality report");
    app.add_option("--trace", asked.trace, "Write the interleaving of the first finding as a trace for Perfetto");
    app.add_option("--html", asked.html, "Write the page of the one sweep");
    app.add_option("--json", asked.json, "Write report.json of the one sweep");
    app.add_option("--index", asked.index, "Write a page with a link to that of each sweep");
    app.add_flag("-q,--quiet", asked.quiet, "Print only one line for each violation, and the verdict");
    app.add_flag("-v,--verbose", asked.verbose, "Also print a line for each interleaving")->excludes("--quiet");
    app.set_version_flag("--version", std::string("dampi-report ") + DAMPI_VERSION);
    app.footer(
        "The text of each sweep goes to standard output. Exit status: 0, or 2 where a sweep cannot be read or a file\n"
        "cannot be written; what the sweeps have found makes no difference.");
}

void run(const Asked& asked) {
    if (asked.directories.size() != 1 && !(asked.html.empty() && asked.json.empty())) {
        throw Error("--html and --json are for one sweep: give one directory, or --index for a page of several");
    }
    ExportFiles files{.junit = file_of(asked.junit),
                      .sarif = file_of(asked.sarif),
                      .code_quality = file_of(asked.code_quality),
                      .trace = file_of(asked.trace)};
    require_folders(files);
    const std::string build = launch::build_fingerprint(find_part("dampi-run", {"dampi-run"}));
    std::vector<ReportInputs> sweeps;
    for (const std::string& directory : asked.directories) {
        sweeps.push_back(read_kept_report(directory, build));
        sweeps.back().options.verbosity = asked.quiet ? -1 : asked.verbose ? 1 : 0;
    }
    if (!asked.html.empty()) {
        write_page(asked.html, sweeps.front());
    }
    if (!asked.json.empty()) {
        write_json_report(asked.json, sweeps.front());
    }
    if (!asked.index.empty()) {
        write_index_page(asked.index, sweeps);
    }
    write_exports(files, sweeps);
    for (const ReportInputs& inputs : sweeps) {
        std::cout << make_text_report(inputs);
    }
    std::cout << std::flush;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Makes reports of sweeps that have ended, from their directories.\n"};
    app.name("dampi-report");
    Asked asked;
    declare(app, asked);
    return run_command(app, argc, argv, [&] {
        run(asked);
        return 0;
    });
}
