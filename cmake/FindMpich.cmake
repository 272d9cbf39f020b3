# Finds MPICH by its own compiler commands, also where another MPI owns the plain names mpicc and mpirun.
#
# Sets
#   Mpich_FOUND, Mpich_VERSION
#   Mpich_C_COMPILER, Mpich_CXX_COMPILER   the compiler commands, for building programs that use MPI
#   Mpich_Fortran_COMPILER                 the same for Fortran; empty when there is none
#   Mpich_INCLUDE_DIR                      where mpi.h is
#   Mpich_PROTO_HEADERS                    mpi_proto.h and mpio.h, which declare every MPI function
#   Mpich_LIBRARY                          the shared library (libmpich.so.12)
# and defines
#   Mpich::headers                         the include directory and nothing else: the layer must not link
#                                          MPI, its PMPI_ symbols come from the program under test
#
# Preset Mpich_C_COMPILER (and the other two) to use a certain MPICH.

set(_mpich_reason "")

# Sets `result` to whether `command` compiles for MPICH: its include directory holds an mpi.h that says so.
function(_mpich_is_mpich result command)
    set(${result} FALSE PARENT_SCOPE)
    execute_process(COMMAND "${command}" -show OUTPUT_VARIABLE line ERROR_QUIET RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        return()
    endif()
    separate_arguments(words UNIX_COMMAND "${line}")
    foreach(word IN LISTS words)
        if(word MATCHES "^-I(.+)$")
            set(header "${CMAKE_MATCH_1}/mpi.h")
            if(EXISTS "${header}")
                file(STRINGS "${header}" version_line REGEX "#define[ \t]+MPICH_VERSION[ \t]")
                if(version_line)
                    set(${result} TRUE PARENT_SCOPE)
                    return()
                endif()
            endif()
        endif()
    endforeach()
endfunction()

# Finds one compiler command among the candidates; keeps a preset one.
function(_mpich_find_command variable)
    if(NOT ${variable})
        foreach(name IN LISTS ARGN)
            find_program(_mpich_candidate ${name} NO_CACHE)
            if(_mpich_candidate)
                _mpich_is_mpich(good "${_mpich_candidate}")
                if(good)
                    set(${variable} "${_mpich_candidate}" CACHE FILEPATH "MPICH's compiler command" FORCE)
                    break()
                endif()
            endif()
            unset(_mpich_candidate)
        endforeach()
    endif()
    if(NOT ${variable})
        set(${variable} "" CACHE FILEPATH "MPICH's compiler command")
    endif()
    mark_as_advanced(${variable})
endfunction()

_mpich_find_command(Mpich_C_COMPILER mpicc.mpich mpicc)
_mpich_find_command(Mpich_CXX_COMPILER mpicxx.mpich mpicxx mpic++)
_mpich_find_command(Mpich_Fortran_COMPILER mpifort.mpich mpifort)

if(Mpich_C_COMPILER)
    execute_process(COMMAND "${Mpich_C_COMPILER}" -show OUTPUT_VARIABLE _mpich_line ERROR_QUIET)
    separate_arguments(_mpich_words UNIX_COMMAND "${_mpich_line}")
    set(_mpich_include_dirs "")
    set(_mpich_library_dirs "")
    foreach(_mpich_word IN LISTS _mpich_words)
        if(_mpich_word MATCHES "^-I(.+)$")
            list(APPEND _mpich_include_dirs "${CMAKE_MATCH_1}")
        elseif(_mpich_word MATCHES "^-L(.+)$")
            list(APPEND _mpich_library_dirs "${CMAKE_MATCH_1}")
        endif()
    endforeach()
    find_path(Mpich_INCLUDE_DIR mpi_proto.h HINTS ${_mpich_include_dirs} NO_DEFAULT_PATH)
    # By its versioned name: that is what programs load, whichever MPI owns the plain libmpi.so.
    find_library(Mpich_LIBRARY NAMES libmpich.so.12 libmpi.so.12 HINTS ${_mpich_library_dirs})
    mark_as_advanced(Mpich_INCLUDE_DIR Mpich_LIBRARY)
    if(Mpich_INCLUDE_DIR)
        set(Mpich_PROTO_HEADERS "${Mpich_INCLUDE_DIR}/mpi_proto.h" "${Mpich_INCLUDE_DIR}/mpio.h")
        file(STRINGS "${Mpich_INCLUDE_DIR}/mpi.h" _mpich_version_line REGEX "#define[ \t]+MPICH_VERSION[ \t]")
        if(_mpich_version_line MATCHES "\"([^\"]+)\"")
            set(Mpich_VERSION "${CMAKE_MATCH_1}")
        endif()
    endif()
    if(NOT Mpich_INCLUDE_DIR)
        set(_mpich_reason "${Mpich_C_COMPILER} has no mpi_proto.h; dampi needs MPICH 4.0 or newer")
    elseif(NOT Mpich_LIBRARY)
        set(_mpich_reason "MPICH's shared library libmpich.so.12 is missing: install the package libmpich12")
    elseif(NOT Mpich_CXX_COMPILER)
        set(_mpich_reason "MPICH's mpicxx is missing: install the package libmpich-dev")
    endif()
else()
    set(_mpich_reason "MPICH is not installed: install the packages mpich and libmpich-dev")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
    Mpich
    REQUIRED_VARS Mpich_LIBRARY Mpich_INCLUDE_DIR Mpich_C_COMPILER Mpich_CXX_COMPILER
    VERSION_VAR Mpich_VERSION
    REASON_FAILURE_MESSAGE "${_mpich_reason}")

if(Mpich_FOUND AND NOT TARGET Mpich::headers)
    add_library(Mpich::headers INTERFACE IMPORTED)
    # The C++ bindings that mpi.h would pull in are not ours to use, and need a library of their own.
    set_target_properties(
        Mpich::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Mpich_INCLUDE_DIR}"
                                  INTERFACE_COMPILE_DEFINITIONS "MPICH_SKIP_MPICXX=1")
endif()
