#include "scheduler/sweep_directory.hpp"

#include "clocks/check.hpp"
#include "replay/atomic_file.hpp"
#include "replay/decision_file.hpp"
#include "scheduler/report/graphviz.hpp"
#include "scheduler/supervision/livelock.hpp"
#include "scheduler/sweep_journal.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <initializer_list>
#include <system_error>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;

constexpr const char* mark_name = ".dampi-sweep";
constexpr std::size_t outputs_kept = 10;

Error unusable(const fs::path& path, const fs::filesystem_error& error) {
    return Error(fmt::format("cannot use the directory {} ({}): choose another one with -o", path.string(),
                             error.code().message()));
}

}  // namespace

void SweepDirectory::clear(std::initializer_list<const char*> parts) const {
    for (const char* part : parts) {
        fs::remove_all(path_ / part);
    }
    for (const char* part : {"output", "decisions", "graphs"}) {
        fs::create_directories(path_ / part);
    }
}

replay::JournalLock SweepDirectory::begin(std::optional<fs::path>& set_aside) const {
    try {
        fs::create_directories(path_);
        const fs::path mark = path_ / mark_name;
        if (!fs::exists(mark)) {
            for (const char* part : {"output", "decisions", "graphs", "journal"}) {
                if (fs::exists(path_ / part)) {
                    throw Error(
                        fmt::format("{} holds something named '{}' that is not from an earlier sweep: choose "
                                    "another directory with -o",
                                    path_.string(), part));
                }
            }
        }
        replay::JournalLock lock(journal());
        std::ofstream(mark) << "This directory belongs to dampi-run, which clears it before each sweep.\n";
        if (fs::exists(journal())) {
            if (is_unfinished(journal())) {
                set_aside = path_ / "journal.unfinished";
                fs::rename(journal(), *set_aside);
            } else {
                fs::remove(journal());
            }
        }
        clear({"output", "decisions", "graphs", "report.json"});
        return lock;
    } catch (const fs::filesystem_error& error) {
        throw unusable(path_, error);
    }
}

replay::JournalLock SweepDirectory::reopen() const {
    std::error_code error;
    if (!fs::exists(journal(), error)) {
        throw Error(fmt::format("there is no sweep in {} that could be resumed: it has no journal", path_.string()));
    }
    return replay::JournalLock(journal());
}

void SweepDirectory::clear_reports() const {
    try {
        clear({"decisions", "graphs", "report.json"});
    } catch (const fs::filesystem_error& error) {
        throw unusable(path_, error);
    }
}

std::vector<fs::path> SweepDirectory::save_decisions(const std::vector<Finding>& findings, const Options& options,
                                                     const replay::Program& program, bool patched_mpi) const {
    std::vector<fs::path> files;
    for (const Finding& finding : findings) {
        std::string kind = finding.violation.kind;
        std::replace(kind.begin(), kind.end(), '/', '-');
        fs::path file;
        for (int number = 1; file.empty(); ++number) {
            const fs::path candidate = fmt::format("decisions/{}-{}.json", kind, number);
            if (!fs::exists(path_ / candidate)) {
                file = candidate;
            }
        }
        replay::save_decision_file(path_ / file,
                                   {.program = program.path.string(),
                                    .fingerprint = program.fingerprint,
                                    .arguments = options.arguments,
                                    .processes = options.processes,
                                    .clock = options.protocol(),
                                    .engine = options.engine.value_or(replay::EngineKind::distributed),
                                    .patched_mpi = patched_mpi,
                                    .piggyback = options.piggyback.value_or(replay::Piggyback::shared),
                                    .virtual_time = options.virtual_time,
                                    .explore_polls = options.explore_polls,
                                    .hang_limit = options.hang_limit.value_or(std::chrono::milliseconds(0)),
                                    .livelock_limit = options.livelock_limit.value_or(default_livelock_limit),
                                    .finding = finding.violation.kind,
                                    .interleaving = finding.reproducer});
        files.push_back(file);
    }
    return files;
}

std::vector<fs::path> SweepDirectory::save_graphs(const std::vector<Finding>& findings,
                                                  const std::vector<fs::path>& decision_files,
                                                  const Options& options) const {
    std::vector<fs::path> files(findings.size());
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (findings[i].violation.wait_for) {
            files[i] = "graphs" / decision_files[i].filename().replace_extension(".dot");
            write_dot(path_ / files[i], findings[i].violation, static_cast<replay::Rank>(options.processes));
        }
    }
    return files;
}

void OutputKeeper::begin(const SweepAccount& account) {
    kept_ = account.reproducers();
    std::error_code error;
    for (auto entry = fs::directory_iterator(output_, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        const std::string stem = entry->path().stem();
        std::uint64_t number = 0;
        const auto [end, wrong] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
        if (wrong == std::errc{} && end == stem.data() + stem.size() && !kept_.contains(number)) {
            std::error_code ignored;
            fs::remove(entry->path(), ignored);
        }
    }
}

void OutputKeeper::taken_in(std::uint64_t number, const SweepAccount& account) {
    last_.push_back(number);
    if (last_.size() <= outputs_kept) {
        return;
    }
    const std::set<std::uint64_t> needed = account.reproducers();
    if (needed.contains(last_.front())) {
        kept_.insert(last_.front());
    } else {
        remove(last_.front());
    }
    last_.pop_front();
    for (auto each = kept_.begin(); each != kept_.end();) {
        if (needed.contains(*each)) {
            ++each;
        } else {
            remove(*each);
            each = kept_.erase(each);
        }
    }
}

void OutputKeeper::remove(std::uint64_t number) const {
    for (const char* ending : {"out", "err"}) {
        std::error_code ignored;
        fs::remove(output_ / fmt::format("{:06}.{}", number, ending), ignored);
    }
}

}  // namespace dampi::scheduler
