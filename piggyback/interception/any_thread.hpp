// The functions of MPI that any thread may call at any time, whatever the thread level (MPI 4.1, sections 11.4.1, 11.6
// and 15.3); and those that only read a clock or compute. Build-time code.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace dampi::piggyback {

[[nodiscard]] inline bool is_for_any_thread(std::string_view function) {
    constexpr std::array names{"MPI_Initialized",
                               "MPI_Finalized",
                               "MPI_Query_thread",
                               "MPI_Is_thread_main",
                               "MPI_Get_version",
                               "MPI_Get_library_version",
                               "MPI_Session_create_errhandler",
                               "MPI_Session_call_errhandler",
                               "MPI_Errhandler_free",
                               "MPI_Error_string",
                               "MPI_Error_class",
                               "MPI_Add_error_class",
                               "MPI_Add_error_code",
                               "MPI_Add_error_string",
                               "MPI_Remove_error_class",
                               "MPI_Remove_error_code",
                               "MPI_Remove_error_string",
                               "MPI_Wtime",
                               "MPI_Wtick",
                               "MPI_Aint_add",
                               "MPI_Aint_diff"};
    return function.starts_with("MPI_Info_") || function.starts_with("MPI_T_") ||
           std::find(names.begin(), names.end(), function) != names.end();
}

}  // namespace dampi::piggyback
