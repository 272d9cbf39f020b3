# What the project's own CMake files share: where installed things go, and building MPI programs with
# MPICH's compiler commands. Include it after GNUInstallDirs.

# The layer lies beside no other library, so that nobody links it by accident:
#   build tree:  <build>/scheduler/dampi-run      and  <build>/piggyback/libdampi.so
#   installed:   <prefix>/<bindir>/dampi-run      and  <prefix>/<libdir>/dampi/libdampi.so
# dampi-rank, which only other launchers need, is <build>/launch/dampi-rank, and installed beside the layer.
# dampi-run finds it relative to its own executable, so that an installed tree can be moved.
set(DAMPI_LAYER_INSTALL_DIR ${CMAKE_INSTALL_LIBDIR}/dampi)
file(RELATIVE_PATH DAMPI_LAYER_FROM_INSTALLED_RUN
    ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/dampi/libdampi.so)
set(DAMPI_LAYER_FROM_BUILT_RUN ../piggyback/libdampi.so)
set(DAMPI_WATCH_FROM_BUILT_RUN ../piggyback/watch/libdampi-watch.so)
file(RELATIVE_PATH DAMPI_WATCH_FROM_INSTALLED_RUN
    ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/dampi/libdampi-watch.so)
file(RELATIVE_PATH DAMPI_RANK_FROM_INSTALLED_RUN
    ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/dampi/dampi-rank)
set(DAMPI_RANK_FROM_BUILT_RUN ../launch/dampi-rank)

# dampi_layer_locations(target): gives the target's sources the layer's places, relative to the folder of
# dampi-run's executable, as the macros DAMPI_LAYER_FROM_BUILT_RUN and DAMPI_LAYER_FROM_INSTALLED_RUN; and those of
# dampi-rank likewise.
function(dampi_layer_locations target)
    target_compile_definitions(${target} PRIVATE
        DAMPI_LAYER_FROM_BUILT_RUN="${DAMPI_LAYER_FROM_BUILT_RUN}"
        DAMPI_LAYER_FROM_INSTALLED_RUN="${DAMPI_LAYER_FROM_INSTALLED_RUN}"
        DAMPI_RANK_FROM_BUILT_RUN="${DAMPI_RANK_FROM_BUILT_RUN}"
        DAMPI_RANK_FROM_INSTALLED_RUN="${DAMPI_RANK_FROM_INSTALLED_RUN}")
endfunction()

# dampi_build_mpi_program(source executable result): builds one C, C++ or Fortran source as a user would, with
# MPICH's compiler command, -g -O1, and -fopenmp where it has OpenMP directives. `result` is set to FALSE when there is
# no compiler for its language.
# The executable is an output of a custom command: let a target of the same directory depend on it. A fourth word,
# OpenMpi, asks for Open MPI's compiler commands (OpenMpi_C_COMPILER, ...) instead of MPICH's.
function(dampi_build_mpi_program source executable result)
    set(mpi Mpich)
    if(ARGC GREATER 3)
        set(mpi ${ARGV3})
    endif()
    get_filename_component(extension ${source} LAST_EXT)
    get_filename_component(folder ${executable} DIRECTORY)
    set(flags -g -O1 -pthread)
    if(source MATCHES "/programs/returns/")
        list(APPEND flags -O0)  # each statement has code of its own
    endif()
    set(depfile DEPFILE ${executable}.d)
    if(extension STREQUAL ".c")
        set(compiler ${${mpi}_C_COMPILER})
        list(APPEND flags -MMD -MF ${executable}.d)
    elseif(extension STREQUAL ".cpp")
        set(compiler ${${mpi}_CXX_COMPILER})
        list(APPEND flags -std=c++17 -MMD -MF ${executable}.d)
    elseif(extension STREQUAL ".f90")
        set(compiler ${${mpi}_Fortran_COMPILER})
        # Without mpi_f08, buffers have other types from call to call.
        list(APPEND flags -J ${folder} -fallow-argument-mismatch -w)
        set(depfile "")
    else()
        message(FATAL_ERROR "${source}: neither C (.c), C++ (.cpp) nor Fortran (.f90)")
    endif()
    if(NOT compiler)
        set(${result} FALSE PARENT_SCOPE)
        return()
    endif()
    file(STRINGS ${source} directives REGEX "^ *(#pragma|!\\$) ?omp" LIMIT_COUNT 1)
    if(directives)
        list(APPEND flags -fopenmp)
    endif()
    file(MAKE_DIRECTORY ${folder})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    add_custom_command(OUTPUT ${executable}
        COMMAND ${compiler} ${flags} -o ${executable} ${source} -lm
        DEPENDS ${source}
        ${depfile}
        WORKING_DIRECTORY ${folder}
        COMMENT "Building MPI program ${name}"
        VERBATIM)
    set(${result} TRUE PARENT_SCOPE)
endfunction()

# dampi_precompile(target header...): with DAMPI_PRECOMPILE, the target's sources find these headers of the standard
# library and of other libraries, and those that most sources have, parsed already. Never the project's own headers: each
# source names what it needs.
function(dampi_precompile target)
    if(DAMPI_PRECOMPILE)
        target_precompile_headers(${target} PRIVATE
            <algorithm> <array> <atomic> <chrono> <cstddef> <cstdint> <cstdio> <cstdlib> <cstring> <functional> <map>
            <memory> <mutex> <numeric> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <vector>
            ${ARGN})
    endif()
endfunction()

# dampi_unoptimised(target): builds it without optimisation: for tests whose compiling takes longer than their running.
# What they test is as it is.
function(dampi_unoptimised target)
    target_compile_options(${target} PRIVATE -O0)
endfunction()
