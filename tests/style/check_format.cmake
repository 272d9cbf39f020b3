# cmake -DROOT=<repository> -DCLANG_FORMAT=<program> -P check_format.cmake
# Fails when a source of ours is not formatted as .clang-format says; names each file and how to mend it.
cmake_minimum_required(VERSION 3.25)

set(sources "")
foreach(folder IN ITEMS base clocks replay heuristics transport launch piggyback scheduler tests examples)
    file(GLOB_RECURSE found RELATIVE ${ROOT}
        ${ROOT}/${folder}/*.hpp ${ROOT}/${folder}/*.cpp ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.c)
    list(APPEND sources ${found})
endforeach()

list(LENGTH sources count)
# All at once, which takes a tenth of the time; one by one only to name those that are not.
execute_process(COMMAND ${CLANG_FORMAT} --dry-run --Werror ${sources}
    WORKING_DIRECTORY ${ROOT} RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
if(NOT status EQUAL 0)
    set(bad "")
    foreach(source IN LISTS sources)
        execute_process(COMMAND ${CLANG_FORMAT} --dry-run --Werror ${source}
            WORKING_DIRECTORY ${ROOT} RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
        if(NOT status EQUAL 0)
            list(APPEND bad ${source})
        endif()
    endforeach()
    list(JOIN bad " " names)
    message(FATAL_ERROR "Not formatted as .clang-format says; mend it with:\n  clang-format -i ${names}\n")
endif()
message(STATUS "${count} files are formatted")
