#include "launch/program/python_mpi.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace dampi::launch {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name, const std::vector<std::pair<std::string, std::string>>& environment) {
    const char* own = std::getenv(name);
    std::string value = own == nullptr ? "" : own;
    for (const auto& [each, its_value] : environment) {
        value = each == name ? its_value : value;
    }
    return value;
}

/// The directories `lib/python3*/NAME` below `prefix`.
void add_packages(const fs::path& prefix, const char* name, std::vector<fs::path>& directories) {
    std::error_code ignored;
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(prefix / "lib", ignored)) {
        if (entry.path().filename().string().starts_with("python3")) {
            found.push_back(entry.path() / name);
        }
    }
    std::sort(found.rbegin(), found.rend());  // the newest first
    directories.insert(directories.end(), found.begin(), found.end());
}

/// Where Python looks, in this order.
std::vector<fs::path> module_directories(const fs::path& interpreter,
                                         const std::vector<std::pair<std::string, std::string>>& environment) {
    std::vector<fs::path> directories;
    const std::string path = variable("PYTHONPATH", environment);
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        if (end > begin) {
            directories.emplace_back(path.substr(begin, end - begin));
        }
        begin = end + 1;
    }
    const std::string home = variable("HOME", environment);
    if (!home.empty()) {
        add_packages(fs::path(home) / ".local", "site-packages", directories);
    }
    // A virtual environment's interpreter is a link to another one, beside its own packages.
    add_packages(interpreter.parent_path().parent_path(), "site-packages", directories);
    std::error_code ignored;
    const fs::path real = fs::canonical(interpreter, ignored);
    if (!ignored && real != interpreter) {
        add_packages(real.parent_path().parent_path(), "site-packages", directories);
    }
    if (real.string().starts_with("/usr/bin/")) {  // Debian's
        add_packages("/usr/local", "dist-packages", directories);
        directories.emplace_back("/usr/lib/python3/dist-packages");
    }
    return directories;
}

/// The extension module MPI of the mpi4py there; empty: there is none.
fs::path extension_in(const fs::path& directory) {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory / "mpi4py", ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("MPI.") && name.ends_with(".so")) {
            return entry.path();
        }
    }
    return {};
}

}  // namespace

fs::path mpi4py_of(const fs::path& interpreter, const std::vector<std::pair<std::string, std::string>>& environment) {
    if (!interpreter.filename().string().starts_with("python")) {
        return {};
    }
    for (const fs::path& directory : module_directories(interpreter, environment)) {
        if (fs::path extension = extension_in(directory); !extension.empty()) {
            return extension;
        }
    }
    return {};
}

}  // namespace dampi::launch
