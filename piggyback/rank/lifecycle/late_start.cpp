// The functions of the C library that execute programs are hooked for it. Its system() and popen() execute the shell
// past these hooks, so that the command itself gives the variables on. A program that was executed with the libraries
// for another MPI than it is built with is executed again, with the right ones, before any of its code has run.
#include "piggyback/rank/lifecycle/late_start.hpp"

#include "launch/open_mpi_variables.hpp"
#include "launch/program/preload.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/core.hpp"
#include "piggyback/rank/file_names.hpp"
#include "piggyback/rank/hook.hpp"
#include "piggyback/rank/lifecycle/asked_libraries.hpp"
#include "piggyback/rank/lifecycle/crash.hpp"
#include "piggyback/rank/lifecycle/environment.hpp"
#include "piggyback/rank/translation.hpp"
#include "replay/unseen_calls.hpp"
#include "transport/memory/area.hpp"

#include <array>
#include <atomic>
#include <climits>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <spawn.h>
#include <unistd.h>

namespace dampi::piggyback {
namespace {

struct Kept {
    std::string area;   ///< the run's memory; empty: nothing to start late
    std::string layer;  ///< path of this library
};
Kept* kept = nullptr;  ///< lives as long as the process
std::mutex starting;

template <typename Function>
Function* next(const char* name) noexcept {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// What comes before the layer where the program's MPI is Open MPI, with a colon behind; empty: nothing.
std::string translating_library() {
    Dl_info found{};
    return translation.size != 0 && dladdr(reinterpret_cast<const void*>(translation.begin), &found) != 0
               ? std::string(found.dli_fname) + ":"
               : std::string();
}

/// The environment of a program that is executed: what it is given, and what the layer needs there.
class Environment {
public:
    explicit Environment(char* const* given) {
        std::string_view users;
        for (char* const* entry = given; entry != nullptr && *entry != nullptr; ++entry) {
            const std::string_view text(*entry);
            if (text.starts_with("LD_PRELOAD=")) {
                users = text.substr(text.find('=') + 1);
            } else {
                entries_.push_back(*entry);
            }
        }
        preload_ = "LD_PRELOAD=" + launch::preload_list(translating_library() + kept->layer, users);
        area_ = std::string(transport::memory::environment_variable) + "=" + kept->area;
        late_ = std::string(launch::late_variable) + "=1";
        users_ = std::string(launch::users_preload_variable) + "=" + std::string(users);
        for (std::string* own : {&preload_, &area_, &late_}) {
            entries_.push_back(own->data());
        }
        if (!users.empty()) {
            entries_.push_back(users_.data());
        }
        entries_.push_back(nullptr);
    }
    [[nodiscard]] char* const* get() const { return entries_.data(); }
    /// What makes a shell's command give on what the layer needs.
    [[nodiscard]] std::string before_command() const {
        std::string text = "export";
        for (const std::string* own : {&preload_, &area_, &late_, &users_}) {
            const std::size_t value = own->find('=') + 1;
            if (value == own->size()) {
                continue;
            }
            text += ' ' + own->substr(0, value) + '\'';
            for (const char each : own->substr(value)) {
                text += each == '\'' ? "'\\''" : std::string(1, each);
            }
            text += '\'';
        }
        return text + "; ";
    }

private:
    std::vector<char*> entries_;
    std::string preload_, area_, late_, users_;
};

bool is_to_be_carried() noexcept { return kept != nullptr && Core::current() == nullptr; }

/// Calls execute(environment) with the one that the program gets.
template <typename Execute>
int execute(char* const* given, Execute execute) {
    if (!is_to_be_carried()) {
        return execute(given);
    }
    const Environment environment(given);
    return execute(environment.get());
}

/// Counts what is executed in the place of a rank that has not begun MPI: it is no rank any more. Where that does not
/// happen, it takes itself back.
class InPlaceOfRank {
public:
    explicit InPlaceOfRank(const void* caller) noexcept {
        Core* const core = Core::current();
        if (core == nullptr || !is_rank_itself() ||
            core->board().phase.load(std::memory_order_relaxed) != transport::Phase::starting) {
            return;
        }
        const std::uint64_t site = program_site(caller);
        core->count_not_modelled(replay::executed_before_init, site);
        for (auto& slot : core->board().not_modelled) {
            if (std::string_view(slot.name) == replay::executed_before_init) {
                slot.site.store(site, std::memory_order_relaxed);  // one before may have failed
                count_ = &slot.count;
            }
        }
    }
    ~InPlaceOfRank() {
        if (count_ != nullptr) {
            count_->store(0, std::memory_order_relaxed);
        }
    }
    InPlaceOfRank(const InPlaceOfRank&) = delete;
    InPlaceOfRank& operator=(const InPlaceOfRank&) = delete;

private:
    std::atomic<std::uint64_t>* count_ = nullptr;
};

/// Likewise calls start(command) with what the shell is to be given.
template <typename Start>
auto start_command(const char* command, Start start) {
    if (command == nullptr || !is_to_be_carried()) {
        return start(command);
    }
    const std::string whole = Environment(environ).before_command() + command;
    return start(whole.c_str());
}

/// LD_PRELOAD with the libraries that take Open MPI's place, before the layer, or without them.
std::string preload_with(std::string_view list, const std::string& layer, bool translation, bool of_fortran) {
    std::string whole;
    const auto add = [&whole](std::string_view entry) { whole.append(whole.empty() ? "" : ":").append(entry); };
    const std::string folder = layer.substr(0, layer.rfind('/') + 1);
    while (!list.empty()) {
        const auto end = list.find_first_of(": ");
        const std::string_view entry = list.substr(0, end);
        list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
        if (entry == layer && translation) {
            add(folder + "libdampi-openmpi.so");
        }
        if (entry == layer && of_fortran) {
            add(folder + "libdampi-openmpi-fortran.so");
        }
        if (!entry.empty() && !file_name(entry).starts_with("libdampi-openmpi")) {
            add(entry);
        }
    }
    return whole;
}

/// What Open MPI's launcher would have told the rank.
void set_open_mpi_variables() {
    const auto number_in = [](const char* name) {
        const char* text = find_variable(name);
        return text == nullptr ? 0 : std::atoi(text);
    };
    const int here = number_in("MPI_LOCALRANKID");
    const int ranks_here = number_in("MPI_LOCALNRANKS");
    for (const auto& variables : {launch::open_mpi_variables(number_in("PMI_SIZE"), ranks_here),
                                  launch::open_mpi_variables_of(number_in("PMI_RANK"), here)}) {
        for (const auto& [name, value] : variables) {
            setenv(name.c_str(), value.c_str(), 0);
        }
    }
}

/// Executes the program again if it was built with another MPI library than is set up for it.
void execute_with_right_library(char** arguments, const std::string& layer) {
    constexpr const char* for_the_second_time = "2";
    const char* preloaded = find_variable("LD_PRELOAD");
    if (preloaded == nullptr || std::strcmp(find_variable(launch::late_variable), for_the_second_time) == 0) {
        return;
    }
    const AskedLibraries asked = asked_libraries();
    if (asked.mpich.empty() == asked.open_mpi.empty()) {
        return;  // it may load MPI later; or nobody knows what it means
    }
    const bool translation = !asked.open_mpi.empty();
    const bool of_fortran = asked.fortran_of_open_mpi;
    if (translation == asked.translation && of_fortran == asked.translation_of_fortran) {
        return;
    }
    std::array<char, PATH_MAX> path{};
    if (readlink("/proc/self/exe", path.data(), path.size() - 1) < 0) {
        return;
    }
    const std::string before = preloaded;
    replace_variable("LD_PRELOAD", preload_with(before, layer, translation, of_fortran).c_str());
    replace_variable(launch::late_variable, for_the_second_time);
    if (translation) {
        set_open_mpi_variables();
    }
    next<int(const char*, char* const*, char* const*)>("execve")(path.data(), arguments, environ);
    replace_variable("LD_PRELOAD", before.c_str());
}

/// The arguments of execl and its like.
std::vector<char*> list_of(const char* first, va_list& rest) {
    std::vector<char*> words;
    for (const char* word = first; word != nullptr; word = va_arg(rest, const char*)) {
        words.push_back(const_cast<char*>(word));
    }
    words.push_back(nullptr);
    return words;
}

}  // namespace

bool begin_late_start(char** arguments) noexcept {
    const char* area = find_variable(transport::memory::environment_variable);
    if (area == nullptr || find_variable(launch::late_variable) == nullptr) {
        return false;
    }
    Dl_info self{};
    dladdr(reinterpret_cast<const void*>(&begin_late_start), &self);
    const std::string layer = self.dli_fname == nullptr ? "" : self.dli_fname;
    execute_with_right_library(arguments, layer);
    kept = new Kept{.area = area, .layer = layer};
    remove_variable(transport::memory::environment_variable);
    remove_variable(launch::late_variable);
    return true;
}

bool end_late_start(bool (*attach)(const char* path)) noexcept {
    if (kept == nullptr) {
        return false;
    }
    const std::lock_guard lock(starting);
    return Core::current() != nullptr || attach(kept->area.c_str());
}

}  // namespace dampi::piggyback

namespace dampi::piggyback {
namespace {

int execute_path(const char* path, char* const* arguments, char* const* environment, const void* caller) {
    const InPlaceOfRank in_place(caller);
    return execute(environment, [&](char* const* whole) {
        return next<int(const char*, char* const*, char* const*)>("execve")(path, arguments, whole);
    });
}

int execute_file(const char* file, char* const* arguments, char* const* environment, const void* caller) {
    const InPlaceOfRank in_place(caller);
    return execute(environment, [&](char* const* whole) {
        return next<int(const char*, char* const*, char* const*)>("execvpe")(file, arguments, whole);
    });
}

}  // namespace
}  // namespace dampi::piggyback

DAMPI_HOOK int execve(const char* path, char* const* arguments, char* const* environment) noexcept {
    return dampi::piggyback::execute_path(path, arguments, environment, __builtin_return_address(0));
}

DAMPI_HOOK int fexecve(int file, char* const* arguments, char* const* environment) noexcept {
    using namespace dampi::piggyback;
    const InPlaceOfRank in_place(__builtin_return_address(0));
    return execute(environment, [&](char* const* whole) {
        return next<int(int, char* const*, char* const*)>("fexecve")(file, arguments, whole);
    });
}

DAMPI_HOOK int execvpe(const char* file, char* const* arguments, char* const* environment) noexcept {
    return dampi::piggyback::execute_file(file, arguments, environment, __builtin_return_address(0));
}

DAMPI_HOOK int execv(const char* path, char* const* arguments) noexcept {
    return dampi::piggyback::execute_path(path, arguments, environ, __builtin_return_address(0));
}

DAMPI_HOOK int execvp(const char* file, char* const* arguments) noexcept {
    return dampi::piggyback::execute_file(file, arguments, environ, __builtin_return_address(0));
}

DAMPI_HOOK int execl(const char* path, const char* word, ...) noexcept {
    va_list rest;
    va_start(rest, word);
    const std::vector<char*> words = dampi::piggyback::list_of(word, rest);
    va_end(rest);
    return dampi::piggyback::execute_path(path, words.data(), environ, __builtin_return_address(0));
}

DAMPI_HOOK int execlp(const char* file, const char* word, ...) noexcept {
    va_list rest;
    va_start(rest, word);
    const std::vector<char*> words = dampi::piggyback::list_of(word, rest);
    va_end(rest);
    return dampi::piggyback::execute_file(file, words.data(), environ, __builtin_return_address(0));
}

DAMPI_HOOK int execle(const char* path, const char* word, ...) noexcept {
    va_list rest;
    va_start(rest, word);
    const std::vector<char*> words = dampi::piggyback::list_of(word, rest);
    char* const* environment = va_arg(rest, char* const*);
    va_end(rest);
    return dampi::piggyback::execute_path(path, words.data(), environment, __builtin_return_address(0));
}

DAMPI_HOOK int posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                           const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment) {
    using namespace dampi::piggyback;
    return execute(environment, [&](char* const* whole) {
        return next<decltype(posix_spawn)>("posix_spawn")(process, path, actions, attributes, arguments, whole);
    });
}

DAMPI_HOOK int posix_spawnp(pid_t* process, const char* file, const posix_spawn_file_actions_t* actions,
                            const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment) {
    using namespace dampi::piggyback;
    return execute(environment, [&](char* const* whole) {
        return next<decltype(posix_spawnp)>("posix_spawnp")(process, file, actions, attributes, arguments, whole);
    });
}

DAMPI_HOOK int system(const char* command) {
    using namespace dampi::piggyback;
    return start_command(command, [](const char* whole) { return next<int(const char*)>("system")(whole); });
}

DAMPI_HOOK FILE* popen(const char* command, const char* mode) {
    using namespace dampi::piggyback;
    return start_command(
        command, [&](const char* whole) { return next<FILE*(const char*, const char*)>("popen")(whole, mode); });
}
