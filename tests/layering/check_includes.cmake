# cmake -DROOT=<repository> -P check_includes.cmake
# Fails, naming file and line, when an #include breaks the project's layering:
#   - a folder includes only itself and the folders below it in the table,
#   - only piggyback includes MPI's header,
#   - clocks includes nothing but itself, base and the C++ standard library,
#   - examples and the test programs include nothing of ours: they stand for the users' programs,
#   - includes of ours are written from the repository's root and name a file that exists (or is generated).
cmake_minimum_required(VERSION 3.25)

set(FOLDERS base clocks replay heuristics transport launch piggyback scheduler)
set(MAY_INCLUDE_base base)
set(MAY_INCLUDE_clocks clocks base)
set(MAY_INCLUDE_replay replay clocks base)
set(MAY_INCLUDE_heuristics heuristics replay clocks base)
set(MAY_INCLUDE_transport transport replay clocks base)
set(MAY_INCLUDE_launch launch replay clocks base)
set(MAY_INCLUDE_piggyback piggyback launch transport replay clocks base)
set(MAY_INCLUDE_scheduler scheduler heuristics launch transport replay clocks base)
set(MAY_INCLUDE_tests tests ${FOLDERS})
set(MAY_INCLUDE_examples "")

# Headers that the build generates.
set(GENERATED piggyback/interception/calls.hpp piggyback/interception/central_calls.hpp
    scheduler/engines/central/refused_functions.inc)

set(violations "")
set(checked 0)
macro(violation sentence)
    string(APPEND violations "\n  ${file}:${line}: ${sentence}")
endmacro()

# Whether `file` is a user's program rather than a part of ours.
function(stands_for_a_user file result)
    if(file MATCHES "^examples/" OR file MATCHES "^tests/(.*/)?programs/")
        set(${result} TRUE PARENT_SCOPE)
    else()
        set(${result} FALSE PARENT_SCOPE)
    endif()
endfunction()

foreach(folder IN LISTS FOLDERS ITEMS tests examples)
    file(GLOB_RECURSE files RELATIVE ${ROOT}
        ${ROOT}/${folder}/*.hpp ${ROOT}/${folder}/*.cpp ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.c
        ${ROOT}/${folder}/*.def ${ROOT}/${folder}/*.in)
    foreach(file IN LISTS files)
        math(EXPR checked "${checked} + 1")
        stands_for_a_user(${file} user)
        # Semicolons and brackets would make CMake lists of the lines.
        file(READ ${ROOT}/${file} text)
        string(REGEX REPLACE "[][;]" " " text "${text}")
        string(REPLACE "\n" ";" lines "${text}")
        set(line 0)
        foreach(content IN LISTS lines)
            math(EXPR line "${line} + 1")
            if(NOT content MATCHES "^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"]+)[>\"]")
                if(content MATCHES "^[ \t]*#[ \t]*include")
                    violation("an include that is computed cannot be checked")
                endif()
                continue()
            endif()
            set(quote "${CMAKE_MATCH_1}")
            set(header "${CMAKE_MATCH_2}")
            string(REGEX REPLACE "/.*" "" top "${header}")

            if(user)
                if(top IN_LIST FOLDERS OR top STREQUAL tests)
                    violation("a user's program must not include ${header}")
                endif()
                continue()
            endif()
            if(header MATCHES "(^|/)(mpi|mpio|mpi_proto|mpicxx|pmpi)\\.h$" AND NOT folder STREQUAL piggyback)
                violation("only piggyback may include ${header}")
            elseif(top IN_LIST FOLDERS OR top MATCHES "^(tests|examples)$")
                if(NOT top IN_LIST MAY_INCLUDE_${folder})
                    violation("${folder} must not include ${header}")
                elseif(quote STREQUAL "<")
                    violation("${header} is ours: include it in quotes")
                elseif(NOT EXISTS ${ROOT}/${header} AND NOT header IN_LIST GENERATED)
                    violation("there is no ${header}")
                endif()
            elseif(quote STREQUAL "\"")
                violation("${header} is not written from the repository's root")
            elseif(folder STREQUAL clocks AND NOT header MATCHES "^[a-z_]+$")
                violation("clocks may include only the C++ standard library, not ${header}")
            endif()
        endforeach()
    endforeach()
endforeach()

if(checked EQUAL 0)
    message(FATAL_ERROR "There are no sources under ${ROOT}")
endif()
if(violations)
    message(FATAL_ERROR "The layering is broken:${violations}")
endif()
message(STATUS "${checked} files keep the layering")
