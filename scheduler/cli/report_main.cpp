// dampi-report: makes any of the reports of sweeps that have ended, from their directories. Runs nothing.

#include "base/check.hpp"
#include "launch/program/program.hpp"
#include "scheduler/cli/command.hpp"
#include "scheduler/cli/exports.hpp"
#include "scheduler/cli/report_options.hpp"
#include "scheduler/report/index_page.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/kept_report.hpp"
#include "scheduler/report/page.hpp"
#include "scheduler/report/text_report.hpp"
#include "scheduler/suite/suite_history.hpp"

#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

using namespace dampi;
using namespace dampi::scheduler;

std::optional<std::filesystem::path> file_of(const std::string& word) {
    return word.empty() ? std::nullopt : std::optional<std::filesystem::path>(word);
}

void declare(CLI::App& app, ReportWishes& asked) {
    app.add_option("OUT", asked.directories, "Directories of sweeps, or of suites, which stand for their sweeps")
        ->required();
    for (const ReportOption& option : report_options) {
        if (option.file != nullptr) {
            app.add_option(std::string(option.words), asked.*option.file, std::string(option.help))
                ->option_text("FILE");
        } else {
            app.add_flag(std::string(option.words), asked.*option.flag, std::string(option.help));
        }
    }
    app.get_option("--verbose")->excludes("--quiet");
    app.set_version_flag("--version", std::string("dampi-report ") + DAMPI_VERSION);
    app.footer(
        "The text of each sweep goes to standard output. Exit status: 0, or 2 where a sweep cannot be read or a file\n"
        "cannot be written; what the sweeps have found makes no difference.");
}

/// A suite's directory is those of its sweeps that have a report; of the others it is said that they have none.
std::vector<std::filesystem::path> sweep_directories(const std::vector<std::string>& given) {
    std::vector<std::filesystem::path> all;
    for (const std::filesystem::path directory : given) {
        const SuiteHistory history = SuiteHistory::read(directory / suite_history_name);
        if (history.entries().empty()) {
            all.push_back(directory);
        }
        for (const auto& [id, entry] : history.entries()) {
            if (entry.status == usage_or_environment_error || entry.status == internal_error) {
                std::cerr << fmt::format(
                    "dampi-report: {} is left out: its dampi-run ended with exit status {}, see {}\n",
                    (directory / id).string(), entry.status, (directory / (id + ".txt")).string());
            } else {
                all.push_back(directory / id);
            }
        }
    }
    return all;
}

void run(const ReportWishes& asked) {
    const std::vector<std::filesystem::path> directories = sweep_directories(asked.directories);
    if (directories.size() != 1 && !(asked.html.empty() && asked.json.empty())) {
        throw Error("--html and --json are for one sweep: give one directory, or --index for a page of several");
    }
    ExportFiles files{.junit = file_of(asked.junit),
                      .sarif = file_of(asked.sarif),
                      .code_quality = file_of(asked.code_quality),
                      .trace = file_of(asked.trace)};
    std::vector<std::filesystem::path> kept;
    for (const std::filesystem::path& directory : directories) {
        for (std::filesystem::path& file : own_files_of(directory)) {
            kept.push_back(std::move(file));
        }
    }
    require_writable(files, kept);
    const std::string build = launch::build_fingerprint(find_part("dampi-run", {"dampi-run"}));
    std::vector<ReportInputs> sweeps;
    for (const std::filesystem::path& directory : directories) {
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
    ReportWishes asked;
    declare(app, asked);
    return run_command(app, argc, argv, [&] {
        run(asked);
        return 0;
    });
}
