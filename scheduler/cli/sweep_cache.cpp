// See sweep_cache.hpp.
#include "scheduler/cli/sweep_cache.hpp"

#include "base/check.hpp"
#include "launch/program/words_in_file.hpp"
#include "replay/serialization.hpp"
#include "scheduler/report/kept_file.hpp"
#include "scheduler/report/kept_report.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::replay {

template <>
struct LastValue<scheduler::SweepCache::Kept> {
    static constexpr auto value = scheduler::SweepCache::Kept::journal;
};

}  // namespace dampi::replay

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = "lock";
constexpr const char* output_name = "output";

/// What is in the file `entry`.
struct Content {
    std::string identity;  ///< header_bytes
    std::map<std::string, std::string> others;
    SweepCache::Kept kept = SweepCache::Kept::nothing;
    std::string sum;  ///< of the file beside it
};

}  // namespace
}  // namespace dampi::scheduler

namespace boost::serialization {

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::Content& content, unsigned /*version*/) {
    auto& [identity, others, kept, sum] = content;
    dampi::replay::members(archive, identity, others, kept, sum);
}

}  // namespace boost::serialization

namespace dampi::scheduler {
namespace {

std::string build_text(const Build& build) {
    return fmt::format("{} {} {}", build.version, build.dampi_run, build.layer);
}

std::string identity_bytes(const SweepIdentity& identity) {
    return header_bytes({.identity = identity, .options = {}});
}

KeptFile entry_file(const fs::path& entry) { return {.first_line = "dampi-cache/1", .path = entry / "entry"}; }

const char* file_of(SweepCache::Kept kept) { return kept == SweepCache::Kept::journal ? "journal" : kept_report_name; }

std::string advice_to_remove(const fs::path& entry) {
    return fmt::format("remove {}, and the sweep is run", entry.string());
}

/// What the files are that count.
class CountedFiles {
public:
    /// All files below it are part of a directory.
    void add(const std::string& what, const fs::path& path);
    void add_if_file(const std::string& what, const fs::path& path) {
        if (std::error_code error; fs::is_regular_file(path, error)) {
            add(what, path);
        }
    }
    /// It may mention variables, and is told apart elsewhere.
    void add_uncompared(const fs::path& path) { files_.insert(path); }

    [[nodiscard]] const std::map<std::string, std::string>& fingerprints() const { return fingerprints_; }
    [[nodiscard]] const std::set<fs::path>& all() const { return files_; }

private:
    std::map<std::string, std::string> fingerprints_;  ///< by "the library /lib/libc.so.6"
    std::set<fs::path> files_;
};

void CountedFiles::add(const std::string& what, const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        fingerprints_[what + " " + path.string()] = launch::content_fingerprint(path);
        files_.insert(path);
        return;
    }
    for (auto each = fs::recursive_directory_iterator(path, error);
         !error && each != fs::recursive_directory_iterator(); each.increment(error)) {
        if (std::error_code unknown; each->is_regular_file(unknown)) {
            fingerprints_[what + " " + each->path().string()] = launch::content_fingerprint(each->path());
            files_.insert(each->path());
        }
    }
    if (error) {
        throw Error(fmt::format("cannot read {}: {}", path.string(), error.message()));
    }
}

/// What names the command, whatever it is about has become: without the contents of files and what is set elsewhere.
std::string command_bytes(const SweepKey& key) {
    SweepIdentity identity = key.identity;
    identity.build = {};
    identity.program_fingerprint.clear();
    identity.mpi_library.clear();
    identity.mpi_library_fingerprint.clear();
    identity.environment.clear();
    std::string bytes = identity_bytes(identity);
    for (const auto& [what, value] : key.others) {
        if (what.starts_with("--")) {
            bytes += what + "=" + value + "\n";
        }
    }
    return bytes;
}

std::vector<std::string> words_of(std::string_view text, std::string_view separators) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        if (end > 0) {
            words.emplace_back(text.substr(0, end));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

std::vector<std::string> preloaded(const Options& options) {
    const char* list = std::getenv("LD_PRELOAD");
    for (const auto& [name, value] : options.environment) {
        list = name == "LD_PRELOAD" ? value.c_str() : list;
    }
    return words_of(list != nullptr ? list : "", " :");
}

/// Of a file, which is what ranks get (launch::reopen_input); otherwise empty.
std::string standard_input() {
    struct stat status {};
    if (::fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) {
        return {};
    }
    return fmt::format("{} from {}", launch::content_fingerprint("/proc/self/fd/0"),
                       ::lseek(STDIN_FILENO, 0, SEEK_CUR));
}

/// Those of ours that a file mentions, and settings of dampi's own; without what the identity has.
std::map<std::string, std::string> variables_that_may_be_read(const std::set<fs::path>& files,
                                                              const SweepIdentity& identity) {
    std::map<std::string, std::string> ours;
    std::set<std::string> names;
    for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
        const std::string_view variable = *each;
        const std::string name(variable.substr(0, variable.find('=')));
        const bool set_otherwise = std::any_of(identity.settings.begin(), identity.settings.end(),
                                               [&](const auto& setting) { return setting.first == name; });
        // The shell's name for the command that it executes, and a letter that any file has.
        if (name.size() < variable.size() && name != "_" && !identity.environment.contains(name) && !set_otherwise) {
            ours[name] = variable.substr(name.size() + 1);
            names.insert(name);
        }
    }
    std::set<std::string> mentioned;
    for (const fs::path& file : files) {
        mentioned.merge(launch::words_in_file(file, names));
    }
    std::erase_if(ours, [&](const auto& variable) {
        return !mentioned.contains(variable.first) && !variable.first.starts_with("DAMPI_");
    });
    return ours;
}

void copy_into(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing, error);
    if (error && fs::exists(from)) {
        throw Error(fmt::format("cannot copy {} to {}: {}", from.string(), to.string(), error.message()));
    }
}

}  // namespace

SweepKey key_of(const SettledRequest& request, const OwnParts& own) {
    const Options& options = request.options;
    SweepKey key{.identity = identity_of(options, request.program, own_build(own.layer)), .others = {}};
    CountedFiles files;
    files.add_uncompared(request.program.path);
    for (const fs::path& interpreter : request.program.interpreters) {
        files.add_uncompared(interpreter);
    }
    for (const fs::path& library : request.program.libraries) {
        files.add("the library", library);
    }
    if (!request.mpi_library.path.empty()) {
        files.add("the library", request.mpi_library.path);
    }
    for (const std::string& library : preloaded(options)) {
        files.add_if_file("the preloaded library", library);
    }
    for (const fs::path& input : options.cache_inputs) {
        files.add("the input", input);
    }
    for (const std::string& argument : options.arguments) {
        files.add_if_file("the argument", argument);
        files.add_if_file("the argument", argument.substr(argument.find('=') + 1));  // --input=FILE
    }
    for (const std::string& word : words_of(options.launcher.value_or(""), " ")) {
        files.add_if_file("the launcher's file", word);
    }
    if (std::error_code error; options.corpus && fs::is_directory(*options.corpus, error)) {
        files.add("the corpus' file", *options.corpus);
    }
    auto& others = key.others = files.fingerprints();
    for (const fs::path& part : own.others) {
        others[part.filename()] = launch::build_fingerprint(part);
    }
    if (const std::string input = standard_input(); !input.empty()) {
        others["the standard input"] = input;
    }
    for (const auto& [name, value] : variables_that_may_be_read(files.all(), key.identity)) {
        others["the environment variable " + name] = check_sum(value);
    }
    others["--corpus"] = options.corpus ? options.corpus->string() : "";
    others["--minimize"] = options.minimize ? "given" : "";
    others["--explain-order"] = options.explain_order ? "given" : "";
    others["--snapshots"] = std::to_string(static_cast<int>(options.snapshots));
    others["--merge-states"] = std::to_string(static_cast<int>(options.merge_states));
    others["--no-prepare"] = options.prepare ? "" : "given";
    others["--keep-output"] = options.keep_output == KeptOutput::all ? "all" : "findings";
    return key;
}

std::vector<std::string> differences(const SweepKey& then, const SweepKey& now) {
    std::vector<std::string> found = differences(then.identity, now.identity);
    std::set<std::string> names;
    for (const auto* others : {&then.others, &now.others}) {
        for (const auto& [name, value] : *others) {
            names.insert(name);
        }
    }
    for (const std::string& name : names) {
        const auto before = then.others.find(name);
        const auto after = now.others.find(name);
        if (before == then.others.end()) {
            found.push_back(name + " is new");
        } else if (after == now.others.end()) {
            found.push_back(name + " is gone");
        } else if (before->second != after->second) {
            found.push_back(name + " has changed");
        }
    }
    return found;
}

SweepCache::SweepCache(fs::path directory, SweepKey key)
    : directory_(std::move(directory)), key_(std::move(key)), build_(build_text(key_.identity.build)) {
    std::error_code error;
    fs::create_directories(directory_, error);
    if (!error) {
        lock_.reset(::open((directory_ / lock_name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    }
    if (!lock_) {
        throw Error(fmt::format("cannot use the directory {} as a cache ({}): name another one with --cache",
                                directory_.string(), error ? error.message() : std::strerror(errno)));
    }
}

fs::path SweepCache::entry() const {
    return directory_ / fmt::format("{}-n{}-{}", fs::path(key_.identity.program).filename().string(),
                                    key_.identity.processes, check_sum(command_bytes(key_)).substr(0, 16));
}

/// Others hold it for as long as it takes to copy an entry.
void SweepCache::lock(int how) {
    while (::flock(lock_.get(), how) != 0) {
        if (errno != EINTR) {
            throw Error(fmt::format("cannot lock the cache {}: {}", directory_.string(), std::strerror(errno)));
        }
    }
}

void SweepCache::release() { lock(LOCK_UN); }

SweepCache::Entry SweepCache::look() {
    lock(LOCK_SH);
    Entry found;
    const fs::path folder = entry();
    std::error_code error;
    if (!fs::exists(folder, error)) {
        return found;
    }
    const std::string advice = advice_to_remove(folder);
    const KeptFile file = entry_file(folder);
    const std::optional<std::string> bytes = file.read(build_, advice);
    if (!bytes) {
        found.differences = {"dampi was built anew"};
        return found;
    }
    Content content;
    SweepKey then;
    try {
        content = replay::from_bytes<Content>(*bytes);
        then = {.identity = read_header(folder, content.identity, key_.identity.build).identity,
                .others = content.others};
    } catch (const Error&) {
        throw file.damaged(4, advice);
    }
    found.differences = differences(then, key_);
    if (!found.differences.empty()) {
        return found;
    }
    const fs::path beside = folder / file_of(content.kept);
    const std::string kept = kept_bytes(beside, advice);
    if (check_sum(kept) != content.sum) {
        throw Error(fmt::format("{}:1: the file is damaged: {}", beside.string(), advice));
    }
    if (content.kept == Kept::verdict) {
        found.inputs = report_of_bytes(kept);
    }
    found.kept = content.kept;
    return found;
}

void SweepCache::bring(const fs::path& sweep) const {
    copy_into(entry() / output_name, sweep / output_name);
    if (fs::exists(entry() / file_of(Kept::journal))) {
        copy_into(entry() / file_of(Kept::journal), sweep / file_of(Kept::journal));
    }
}

void SweepCache::keep(Kept kept, const ReportInputs& inputs, const fs::path& sweep) {
    lock(LOCK_EX);
    const fs::path folder = entry();
    const fs::path made = fs::path(folder) += ".new";  // nobody else makes one while we have the lock
    std::error_code error;
    fs::remove_all(made, error);
    if (kept != Kept::nothing) {
        fs::create_directories(made, error);
        if (error) {
            throw Error(fmt::format("cannot make the directory {}: {}", made.string(), error.message()));
        }
        copy_into(sweep / output_name, made / output_name);
        const std::string bytes = kept == Kept::journal ? kept_bytes(sweep / file_of(kept), "the sweep cannot be kept")
                                                        : bytes_of_report(inputs);
        std::ofstream beside(made / file_of(kept), std::ios::binary);
        if (!(beside << bytes << std::flush)) {
            throw Error(fmt::format("cannot write {}: {}", (made / file_of(kept)).string(), std::strerror(errno)));
        }
        entry_file(made).write(build_, replay::to_bytes(Content{.identity = identity_bytes(key_.identity),
                                                                .others = key_.others,
                                                                .kept = kept,
                                                                .sum = check_sum(bytes)}));
    }
    fs::remove_all(folder, error);
    if (!error && kept != Kept::nothing) {
        fs::rename(made, folder, error);
    }
    release();
    if (error) {
        throw Error(fmt::format("cannot replace {}: {}", folder.string(), error.message()));
    }
}

}  // namespace dampi::scheduler
