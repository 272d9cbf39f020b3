#include "scheduler/cli/worker_order.hpp"

#include "base/check.hpp"
#include "replay/serialization.hpp"
#include "scheduler/cli/command.hpp"
#include "scheduler/cli/joining.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

struct WorkerOrder {
    std::string sweep;  ///< header_bytes()
    bool prepare = true;
    std::uint8_t snapshots = 0;  ///< SnapshotUse
    std::map<std::string, std::string> environment;
    std::map<std::string, std::string> libraries;  ///< of the program, with their fingerprints

    template <typename Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        replay::members(archive, sweep, prepare, snapshots, environment, libraries);
    }
};

/// What a machine, a session on it or a scheduler's task sets for itself.
bool belongs_to_machine(std::string_view name) {
    constexpr std::array<std::string_view, 6> prefixes{"SLURM", "SSH_", "PMI_", "PMIX_", "XDG_", "DAMPI_WORKER"};
    constexpr std::array<std::string_view, 11> names{"HOSTNAME", "TMPDIR", "PWD",     "OLDPWD", "SHLVL",  "_",
                                                     "TERM",     "HOME",   "DISPLAY", "USER",   "LOGNAME"};
    return std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return name.starts_with(prefix); }) ||
           std::find(names.begin(), names.end(), name) != names.end();
}

std::map<std::string, std::string> common_variables(const char* const* variables) {
    std::map<std::string, std::string> common;
    for (; variables != nullptr && *variables != nullptr; ++variables) {
        const std::string_view variable = *variables;
        const std::size_t equals = variable.find('=');
        if (equals != std::string_view::npos && equals != 0 && !belongs_to_machine(variable.substr(0, equals))) {
            common.emplace(variable.substr(0, equals), variable.substr(equals + 1));
        }
    }
    return common;
}

std::map<std::string, std::string> libraries_of(const launch::Program& program) {
    std::map<std::string, std::string> libraries;
    for (const std::filesystem::path& library : program.libraries) {
        libraries[library.string()] = launch::build_fingerprint(library);
    }
    return libraries;
}

/// What differs, each a part of a sentence.
std::vector<std::string> different_libraries(const std::map<std::string, std::string>& sweeps,
                                             const std::map<std::string, std::string>& own) {
    std::vector<std::string> different;
    for (const auto& [library, fingerprint] : sweeps) {
        const auto here = own.find(library);
        if (here == own.end()) {
            different.push_back(fmt::format("the program does not load the library {} there", library));
        } else if (here->second != fingerprint) {
            different.push_back(fmt::format("the library {} is another one there", library));
        }
    }
    for (const auto& [library, fingerprint] : own) {
        if (!sweeps.contains(library)) {
            different.push_back(fmt::format("the program also loads the library {} there", library));
        }
    }
    return different;
}

void take_on(const std::map<std::string, std::string>& environment) {
    for (const auto& [name, value] : common_variables(environ)) {
        if (!environment.contains(name)) {
            ::unsetenv(name.c_str());
        }
    }
    for (const auto& [name, value] : environment) {
        ::setenv(name.c_str(), value.c_str(), 1);
    }
}

}  // namespace

std::string worker_build(const std::filesystem::path& worker, const std::filesystem::path& layer) {
    return fmt::format("{} {} {} {}", DAMPI_VERSION, launch::build_fingerprint(worker),
                       launch::build_fingerprint(layer),
                       launch::build_fingerprint(layer.parent_path() / "libdampi-central.so"));
}

std::string worker_order(const SettledRequest& request, const std::filesystem::path& layer,
                         const char* const* variables) {
    WorkerOrder order;
    order.sweep = header_bytes({.identity = identity_of(request.options, request.program, own_build(layer)),
                                .options = free_options_of(request.options)});
    order.prepare = request.options.prepare;
    order.snapshots = static_cast<std::uint8_t>(request.options.snapshots);
    order.environment = common_variables(variables);
    order.libraries = libraries_of(request.program);
    return replay::to_bytes(order);
}

SettledRequest follow_order(std::string_view bytes, const std::filesystem::path& run,
                            const std::filesystem::path& layer) {
    const auto order = replay::from_bytes<WorkerOrder>(bytes);
    if (order.snapshots > static_cast<std::uint8_t>(SnapshotUse::always)) {
        throw Error("the sweep's order is damaged");
    }
    const Build build{.version = DAMPI_VERSION,
                      .dampi_run = launch::build_fingerprint(run),
                      .layer = launch::build_fingerprint(layer)};
    const StoredSweep sweep = read_header("workers", order.sweep, build);
    take_on(order.environment);
    std::error_code error;
    std::filesystem::current_path(sweep.identity.working_directory, error);
    if (error) {
        throw Error(fmt::format("the working directory of the sweep, {}, cannot be entered on {} ({})",
                                sweep.identity.working_directory, own_host(), error.message()));
    }
    Options options = restore(sweep, Options{});
    options.prepare = order.prepare;
    options.snapshots = static_cast<SnapshotUse>(order.snapshots);
    options.merge_states = MergeUse::never;
    options.workers.reset();
    SettledRequest request = settle(options, layer);
    std::vector<std::string> different =
        differences(sweep.identity, identity_of(request.options, request.program, build), Compared::elsewhere);
    for (std::string& library : different_libraries(order.libraries, libraries_of(request.program))) {
        different.push_back(std::move(library));
    }
    if (!different.empty()) {
        throw Error(fmt::format("what would run on {} is not the same as in the sweep: {}", own_host(),
                                fmt::join(different, "; ")));
    }
    return request;
}

}  // namespace dampi::scheduler
