#include "scheduler/cli/sweep_directory.hpp"

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "base/unique_fd.hpp"
#include "replay/decision_file.hpp"
#include "scheduler/buffer_touches.hpp"
#include "scheduler/cli/standard_input.hpp"
#include "scheduler/engines/fresh_directory.hpp"
#include "scheduler/judgement/livelock.hpp"
#include "scheduler/report/graphviz.hpp"
#include "scheduler/report/kept_report.hpp"
#include "scheduler/report/severity.hpp"
#include "scheduler/sweep/sweep_journal.hpp"
#include "scheduler/sweep_mark.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t outputs_kept = 10;
constexpr const char* fresh_name = "fresh";

constexpr std::string_view mark_text = "This directory belongs to dampi-run, which clears it before each sweep.\n";

/// Of what the ranks of an interleaving print: "000002.err".
std::string output_name(std::uint64_t number, const char* ending) { return fmt::format("{:06}.{}", number, ending); }

Error unusable(const fs::path& path, const std::error_code& error) {
    return Error(
        fmt::format("cannot use the directory {} ({}): choose another one with -o", path.string(), error.message()));
}

Error unusable(const fs::path& path, int error) {
    return unusable(path, std::error_code(error, std::generic_category()));
}

/// Somebody else may have laid it there for us to write through, or may change it while we rely on it.
void require_own(const fs::path& path, const struct stat& status) {
    if (S_ISLNK(status.st_mode)) {
        throw Error(fmt::format(
            "{} is a symbolic link, which dampi-run does not follow: name another directory with -o", path.string()));
    }
    if (status.st_uid != ::geteuid()) {
        throw Error(fmt::format("{} belongs to another user (number {}): name another directory with -o", path.string(),
                                status.st_uid));
    }
}

/// The directory, and nothing else that its name leads to.
base::UniqueFd open_own(const fs::path& path) {
    // Behind a slash the system would follow a link.
    const fs::path name = path.has_filename() ? path : path.parent_path();
    struct stat status {};
    if (::lstat(name.c_str(), &status) != 0) {
        throw unusable(path, errno);
    }
    require_own(name, status);
    base::UniqueFd directory(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!directory || ::fstat(directory.get(), &status) != 0) {
        throw unusable(path, errno);
    }
    require_own(name, status);
    return directory;
}

bool is_there(const base::UniqueFd& directory, const char* name, struct stat& status) {
    return ::fstatat(directory.get(), name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/// Whatever is in the directory under one of our names is ours.
void require_own_parts(const fs::path& path, const base::UniqueFd& directory) {
    for (const char* part :
         {sweep_mark, "output", "decisions", "graphs", "report.json", "report.html", kept_report_name, "journal",
          "journal.lock", "journal.new", "journal.unfinished", kept_input_name, fresh_name}) {
        struct stat status {};
        if (is_there(directory, part, status)) {
            require_own(path / part, status);
        }
    }
}

void set_mark(const fs::path& path, const base::UniqueFd& directory) {
    struct stat status {};
    if (is_there(directory, sweep_mark, status)) {
        return;
    }
    const base::UniqueFd mark(
        ::openat(directory.get(), sweep_mark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!mark || ::write(mark.get(), mark_text.data(), mark_text.size()) != static_cast<ssize_t>(mark_text.size())) {
        throw unusable(path, errno);
    }
}

/// A replay has no other runs to learn from.
std::chrono::milliseconds limit_that_was_learned(const replay::Violation& violation) {
    return violation.kind == replay::ViolationKind::hang
               ? std::chrono::milliseconds(std::lround(violation.decided_after * 1000))
               : std::chrono::milliseconds(0);
}

replay::DecisionFile decision_file(const SweepResult& result, const Finding& finding,
                                   const replay::Interleaving& interleaving, const SettledRequest& request,
                                   replay::EngineKind engine) {
    const Options& options = request.options;
    return {.program = request.program.path.string(),
            .fingerprint = request.program.fingerprint,
            .arguments = options.arguments,
            .processes = options.processes,
            .clock = options.protocol(),
            .engine = engine,
            .patched_mpi = request.mpi_library.patched,
            .piggyback = request.piggyback(),
            .virtual_time = options.virtual_time.value_or(false),
            .checks_buffers = options.checks_buffers || finding.shown_by == Finding::ShownBy::touches ||
                              (options.max_interleavings == 1 && touches_buffers(finding.violation.kind)),
            .explore_polls = options.explore_polls.value_or(0),
            .hang_limit = options.hang_limit.value_or(limit_that_was_learned(finding.violation)),
            .livelock_limit = options.livelock_limit.value_or(default_livelock_limit),
            .finding = finding.violation.kind,
            .portability = is_portability_by_sweep(result, finding),
            .interleaving = interleaving};
}

}  // namespace

fs::path SweepDirectory::fresh() const { return path_ / fresh_name; }

void SweepDirectory::clear(std::initializer_list<const char*> parts) const {
    for (const char* part : parts) {
        fs::remove_all(path_ / part);
    }
    remove_tree(fresh());
    for (const char* part : {"output", "decisions", "graphs"}) {
        fs::create_directories(path_ / part);
    }
}

replay::JournalLock SweepDirectory::begin(std::optional<fs::path>& set_aside) const {
    try {
        std::error_code error;
        fs::create_directories(path_, error);
        if (error && !fs::is_symlink(path_)) {
            throw unusable(path_, error);
        }
        const base::UniqueFd directory = open_own(path_);
        require_own_parts(path_, directory);
        struct stat status {};
        if (!is_there(directory, sweep_mark, status)) {
            for (const char* part : {"output", "decisions", "graphs", "journal", "report.json", "report.html",
                                     kept_input_name, fresh_name}) {
                if (is_there(directory, part, status)) {
                    throw Error(
                        fmt::format("{} holds something named '{}' that is not from an earlier sweep: choose "
                                    "another directory with -o",
                                    path_.string(), part));
                }
            }
        }
        replay::JournalLock lock(journal());
        set_mark(path_, directory);
        if (fs::exists(journal())) {
            if (is_unfinished(journal())) {
                set_aside = path_ / "journal.unfinished";
                fs::rename(journal(), *set_aside);
            } else {
                fs::remove(journal());
            }
        }
        clear({"output", "decisions", "graphs", "report.json", "report.html", kept_report_name, kept_input_name});
        return lock;
    } catch (const fs::filesystem_error& error) {
        throw unusable(path_, error.code());
    }
}

replay::JournalLock SweepDirectory::reopen() const {
    std::error_code error;
    if (!fs::exists(journal(), error)) {
        throw Error(fmt::format("there is no sweep in {} that could be resumed: it has no journal", path_.string()));
    }
    require_own_parts(path_, open_own(path_));
    return replay::JournalLock(journal());
}

void SweepDirectory::clear_reports() const {
    try {
        clear({"decisions", "graphs", "report.json", "report.html", kept_report_name});
    } catch (const fs::filesystem_error& error) {
        throw unusable(path_, error.code());
    }
}

std::vector<fs::path> SweepDirectory::save_decisions(const SweepResult& result, const std::vector<Finding>& findings,
                                                     const SettledRequest& request, replay::EngineKind engine) const {
    std::vector<fs::path> files;
    for (const Finding& finding : findings) {
        std::string kind(text_of(finding.violation.kind));
        std::replace(kind.begin(), kind.end(), '/', '-');
        fs::path file;
        for (int number = 1; file.empty(); ++number) {
            const fs::path candidate = fmt::format("decisions/{}-{}.json", kind, number);
            if (!fs::exists(path_ / candidate)) {
                file = candidate;
            }
        }
        replay::save_decision_file(path_ / file, decision_file(result, finding, finding.reproducer, request, engine));
        files.push_back(file);
    }
    return files;
}

std::vector<fs::path> SweepDirectory::save_needed_choices(const SweepResult& result, const std::vector<fs::path>& files,
                                                          const SettledRequest& request,
                                                          replay::EngineKind engine) const {
    const std::vector<Finding>& findings = result.findings;
    std::vector<fs::path> made(findings.size());
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const Finding& finding = findings[i];
        // Where nobody has run with them alone, and asked for that, they are only listed.
        if (finding.needed && finding.needed->runs != 0 &&
            finding.needed->decisions.size() < finding.reproducer.decisions.size()) {
            replay::Interleaving alone = finding.reproducer;
            alone.decisions = finding.needed->decisions;
            made[i] = files[i].parent_path() / (files[i].stem().string() + "-needed.json");
            replay::save_decision_file(path_ / made[i], decision_file(result, finding, alone, request, engine));
        }
    }
    return made;
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

std::vector<std::vector<fs::path>> SweepDirectory::kept_output(const std::vector<Finding>& findings) const {
    std::vector<std::vector<fs::path>> files(findings.size());
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const Finding& finding = findings[i];
        if (finding.foreseen || finding.shown_by != Finding::ShownBy::sweep || finding.count == 0) {
            continue;
        }
        const std::uint64_t number = finding.reproducer.trial ? finding.first_interleaving : finding.reproducer.number;
        for (const char* ending : {"out", "err"}) {
            const fs::path file = output().filename() / output_name(number, ending);
            std::error_code missing;
            if (fs::file_size(path_ / file, missing) > 0 && !missing) {
                files[i].push_back(file);
            }
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
        fs::remove(output_ / output_name(number, ending), ignored);
    }
}

}  // namespace dampi::scheduler
