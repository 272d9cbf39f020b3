#include "scheduler/watch/mpi_frames.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace dampi::scheduler::watch {
namespace {

/// By their names in lower case, as Fortran has them.
const std::map<std::string, std::string, std::less<>>& known_functions() {
    static const auto known = [] {
        std::map<std::string, std::string, std::less<>> names;
        for (const std::string_view name : {
#define FUNCTION(name, ...) std::string_view(#name),
#define NEWER FUNCTION
#include "scheduler/watch/functions.inc"
#undef NEWER
#undef FUNCTION
             }) {
            std::string lower(name);
            std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
            names.emplace(std::move(lower), name);
        }
        return names;
    }();
    return known;
}

}  // namespace

std::string mpi_function_named(std::string_view symbol) {
    if (symbol.starts_with('P') || symbol.starts_with('p')) {
        symbol.remove_prefix(1);
    }
    if (!symbol.starts_with("MPI_") && !symbol.starts_with("mpi_")) {
        return {};
    }
    const bool is_fortran = symbol.starts_with("mpi_");
    std::string lower(symbol);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    if (is_fortran) {
        for (const std::string_view ending : {"_f08ts_", "_f08_", "__", "_"}) {
            if (lower.ends_with(ending)) {
                lower.resize(lower.size() - ending.size());
                break;
            }
        }
    }
    const auto found = known_functions().find(lower);
    return found == known_functions().end() || (!is_fortran && found->second != symbol) ? std::string{} : found->second;
}

bool only_asks(std::string_view function) {
    static constexpr std::array names{std::string_view("MPI_Iprobe"),
                                      std::string_view("MPI_Improbe"),
                                      std::string_view("MPI_Test"),
                                      std::string_view("MPI_Testall"),
                                      std::string_view("MPI_Testany"),
                                      std::string_view("MPI_Testsome"),
                                      std::string_view("MPI_Win_test"),
                                      std::string_view("MPI_Parrived"),
                                      std::string_view("MPI_Request_get_status"),
                                      std::string_view("MPI_Request_get_status_all"),
                                      std::string_view("MPI_Request_get_status_any"),
                                      std::string_view("MPI_Request_get_status_some")};
    return std::find(names.begin(), names.end(), function) != names.end();
}

std::optional<MpiCall> find_mpi_call(const std::vector<launch::ObservedFrame>& stack) {
    for (std::size_t i = stack.size(); i > 0; --i) {
        std::string function = mpi_function_named(stack[i - 1].symbol);
        if (!function.empty()) {
            return MpiCall{std::move(function), i};
        }
    }
    return std::nullopt;
}

}  // namespace dampi::scheduler::watch
