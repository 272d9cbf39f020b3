// The ranks get the patched library through LD_LIBRARY_PATH, and not by preloading it: what else is linked with the
// program (tools that intercept MPI, for instance) keeps its place in the order of symbols. So a DT_RPATH of the
// program's would win; whether it does is asked of the dynamic loader.
#include "launch/program/mpi_library.hpp"

#include "base/check.hpp"

#include <array>
#include <cstdlib>
#include <system_error>

namespace dampi::launch {
namespace {

namespace fs = std::filesystem;

constexpr const char* prefix_variable = "DAMPI_MPICH";
constexpr const char* library_path_variable = "LD_LIBRARY_PATH";
constexpr const char* patched_function = "dampi_mpich_interface";

/// Functions that it exports, but that fail there, or give wrong data.
constexpr std::array<const char*, 4> lacking_in_the_patched_one{"MPI_Psend_init", "MPI_Precv_init",
                                                                "MPI_Win_allocate_shared", "MPI_Win_shared_query"};

/// The patched library's file below a prefix, or in the directory itself; empty: there is none.
fs::path patched_library_in(const fs::path& prefix) {
    for (const fs::path& candidate : {prefix / "lib" / "libmpich.so.12", prefix / "libmpich.so.12"}) {
        if (exports(candidate, patched_function)) {
            return candidate;
        }
    }
    return {};
}

/// Why the program keeps its own library; empty: it need not.
std::string reason_against(const Program& program, const fs::path& patched) {
    if (!program.beyond_ch3.empty()) {
        return "the program calls " + program.beyond_ch3 + ", which the patched one lacks or does otherwise";
    }
    const std::string lacking = lacking_function(program.mpi_library, patched);
    if (!lacking.empty()) {
        return "the patched one is older than the program's: it lacks " + lacking;
    }
    return {};
}

/// Which file the program loads when the patched library's directory comes first.
fs::path loaded_with(const Program& program, const MpiLibrary& patched,
                     const std::vector<std::pair<std::string, std::string>>& environment) {
    const std::string search = library_path(patched, users_library_path(environment));
    return inspect_program(program.path.string(), {{library_path_variable, search}}, {}, program.translation)
        .mpi_library;
}

bool is_same_file(const fs::path& one, const fs::path& other) {
    std::error_code ignored;
    return fs::equivalent(one, other, ignored);
}

}  // namespace

fs::path patched_mpi_prefix() {
    if (const char* chosen = std::getenv(prefix_variable)) {
        return chosen;
    }
    const char* home = std::getenv("HOME");
    return home == nullptr || *home == '\0' ? fs::path() : fs::path(home) / ".local/share/dampi/mpich";
}

MpiLibrary choose_mpi_library(const Program& program, const std::string& wish, bool own_launcher,
                              const std::vector<std::pair<std::string, std::string>>& environment) {
    MpiLibrary own{.path = program.mpi_library,
                   .patched = !program.mpi_library.empty() && exports(program.mpi_library, patched_function),
                   .directory = {},
                   .why = {},
                   .translated = !program.translation.empty()};
    if (own.patched) {
        own.why = "the program finds it by itself";
        return own;
    }
    const auto keep = [&own](std::string why) {
        own.why = std::move(why);
        return own;
    };
    if (wish == native_mpi) {
        return keep("--mpi native");
    }

    const bool automatic = wish == automatic_mpi;
    const fs::path prefix = automatic ? patched_mpi_prefix() : fs::path(wish);
    const fs::path found = prefix.empty() ? fs::path() : patched_library_in(prefix);
    if (!automatic) {
        if (found.empty()) {
            throw Error("there is no patched MPI library in " + wish + ": ./build-mpich " + wish + " installs it");
        }
        if (!program.contained_layer.empty()) {
            throw Error("the program has its MPI library linked in, so that --mpi cannot give it another");
        }
        for (const char* function : lacking_in_the_patched_one) {
            if (program.mpi_functions.contains(function)) {
                throw Error("the program calls " + std::string(function) +
                            ", which the patched MPI library lacks: leave out --mpi");
            }
        }
    } else {
        if (prefix.empty()) {
            return keep("DAMPI_MPICH is empty");
        }
        if (found.empty()) {
            return keep("no patched one is in " + prefix.string() + " (./build-mpich installs it)");
        }
        if (!program.contained_layer.empty()) {
            return keep("it is linked into the program");
        }
        if (program.mpi_at_run_time) {
            return keep("the program loads it at run time");
        }
        if (!own_launcher) {
            return keep("another process manager starts the ranks");
        }
        std::string reason = reason_against(program, found);
        if (!reason.empty()) {
            return keep(std::move(reason));
        }
    }

    const fs::path directory = fs::absolute(found).lexically_normal().parent_path();
    MpiLibrary patched{.path = directory / found.filename(),
                       .patched = true,
                       .directory = directory,
                       .why = automatic ? "it is installed" : "--mpi",
                       .translated = own.translated};
    if (program.mpi_at_run_time) {
        return patched;
    }
    if (directory.string().find_first_of(":;") != std::string::npos) {
        throw Error(directory.string() + " cannot be used because its path holds a colon or a semicolon");
    }
    const fs::path loaded = loaded_with(program, patched, environment);
    if (!is_same_file(loaded, patched.path)) {
        const std::string other = "the program is bound to " + loaded.string() + " (by an RPATH)";
        if (!automatic) {
            throw Error(other + ", so that --mpi cannot give it another MPI library");
        }
        return keep(other);
    }
    return patched;
}

std::string library_path(const MpiLibrary& library, const std::string& users) {
    if (library.directory.empty()) {
        return users;
    }
    return library.directory.string() + (users.empty() ? "" : ":" + users);
}

std::string users_library_path(const std::vector<std::pair<std::string, std::string>>& environment) {
    const char* own = std::getenv(library_path_variable);
    std::string path = own == nullptr ? "" : own;
    for (const auto& [name, value] : environment) {
        if (name == library_path_variable) {
            path = value;
        }
    }
    return path;
}

}  // namespace dampi::launch
