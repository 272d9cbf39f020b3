#include "scheduler/scale/site_compiler.hpp"

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "base/content_of.hpp"
#include "scheduler/scale/quiet_command.hpp"
#include "scheduler/scale/site_sources.hpp"
#include "scheduler/watch/watched_job.hpp"

#include <chrono>
#include <cstddef>
#include <sstream>
#include <string_view>
#include <thread>

#include <fmt/format.h>

namespace dampi::scheduler::scale {
namespace {

void compile(const std::string& compiler, const std::filesystem::path& source, const std::vector<std::string>& options,
             const std::filesystem::path& into) {
    const std::filesystem::path log = source.parent_path() / "log";
    std::vector<std::string> command = words_of_command(compiler, "--mpicc");
    command.insert(command.end(), {"-O2", "-o", into.string(), source.string()});
    command.insert(command.end(), options.begin(), options.end());
    watch::WatchedJob job = watch::WatchedJob::start(quiet_command(log, command), {});
    while (!job.has_ended()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (job.status() != 0) {
        throw Error(
            fmt::format("'{}' cannot compile a program of dampi-scale (status {}); --mpicc names the MPI "
                        "library's compiler. It says: {}",
                        compiler, job.status(), base::content_of(log)));
    }
}

/// Of the table in workarounds.c.
std::string rows_of(const std::vector<Bound>& bounds) {
    std::string rows;
    for (const Bound& each : bounds) {
        rows += fmt::format("{{\"{}\", {}, {}, {}, {}}}, ", each.collective, static_cast<int>(each.form), each.most,
                            each.processes, each.element);
    }
    return rows;
}

}  // namespace

void compile_probe(const std::string& compiler, const std::filesystem::path& folder,
                   const std::filesystem::path& into) {
    base::write_file_atomically(folder / "probe.c", site_source("probe"));
    compile(compiler, folder / "probe.c", {}, into);
}

void compile_workarounds(const std::string& compiler, const std::vector<Bound>& bounds,
                         const std::filesystem::path& folder, const std::filesystem::path& into) {
    std::string source(site_source("workarounds"));
    constexpr std::string_view marker = "/* BOUNDS */";
    const std::size_t at = source.find(marker);
    DAMPI_CHECK(at != std::string::npos);
    source.replace(at, marker.size(), rows_of(bounds));
    base::write_file_atomically(folder / "workarounds.c", source);
    compile(compiler, folder / "workarounds.c", {"-shared", "-fPIC"}, into);
}

std::vector<std::string> words_of_command(const std::string& text, const char* option) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) {
        words.push_back(word);
    }
    if (words.empty()) {
        throw Error(fmt::format("{} is empty: it names a command", option));
    }
    return words;
}

}  // namespace dampi::scheduler::scale
