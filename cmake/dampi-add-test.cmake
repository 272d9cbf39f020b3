# dampi_add_test: a ctest test that verifies an MPI program with dampi-run.
#
#   dampi_add_test(NAME exchange NP 3 COMMAND exchange --size 8
#                  [BUDGET interleavings] [TIME seconds] [BUFFERING kind] [ENGINE kind] [OPTIONS option...]
#                  [EXPECT clean | kind...] [BASELINE report.json] [SUPPRESSIONS file] [CORPUS directory]
#                  [INCOMPLETE fail|pass|skip] [REPORTS folder] [LABELS label...])
#
#   COMMAND     a target or a program, and its arguments
#   BUDGET      at most so many interleavings (--max-interleavings); without it, all
#   TIME        at most so many seconds (--time-limit), 600 unless given; ctest's own limit is a minute more
#   BUFFERING, ENGINE, OPTIONS   as dampi-run has them
#   EXPECT      what there is to be found; `clean`, the default: nothing
#   BASELINE    an earlier report.json: only findings that it has not fail
#   SUPPRESSIONS   a file of findings to live with
#   CORPUS      a directory of decision files that are replayed first; OPTIONS --corpus-add puts what fails into it
#   INCOMPLETE  what becomes of a test that finds nothing but has left something out: by default it is skipped, which
#               ctest says; with `fail` it fails, with `pass` it passes
#   REPORTS     the folder for NAME.junit.xml, NAME.sarif and NAME.code-quality.json; it is made
#   LABELS      beside `dampi`
#
# The sweep is in dampi/NAME of the current binary directory. Needs CMake 3.20. The tests run with the dampi-run that
# belongs to the package; set DAMPI_RUN for another one. In a project that has dampi as a part of itself (add_subdirectory,
# FetchContent), include this file and have DAMPI_RUN name the target: set(DAMPI_RUN $<TARGET_FILE:dampi-run>).

function(dampi_add_test)
    set(single NAME NP BUDGET TIME BUFFERING ENGINE BASELINE SUPPRESSIONS CORPUS INCOMPLETE REPORTS)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "${single}" "COMMAND;OPTIONS;EXPECT;LABELS")
    foreach(word IN ITEMS NAME NP COMMAND)
        if(NOT DEFINED arg_${word})
            message(FATAL_ERROR "dampi_add_test: ${word} is missing")
        endif()
    endforeach()
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "dampi_add_test(${arg_NAME}): unknown words: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT DAMPI_RUN)
        message(FATAL_ERROR "dampi_add_test(${arg_NAME}): set DAMPI_RUN to the path of dampi-run")
    endif()
    if(NOT DEFINED arg_TIME)
        set(arg_TIME 600)
    endif()
    if(NOT DEFINED arg_INCOMPLETE)
        set(arg_INCOMPLETE skip)
    endif()

    set(words -n ${arg_NP} -o ${CMAKE_CURRENT_BINARY_DIR}/dampi/${arg_NAME} --time-limit ${arg_TIME})
    foreach(pair IN ITEMS "BUDGET=--max-interleavings" "BUFFERING=--buffering" "ENGINE=--engine" "BASELINE=--baseline"
                 "SUPPRESSIONS=--suppressions" "CORPUS=--corpus")
        string(REPLACE "=" ";" pair ${pair})
        list(GET pair 0 word)
        list(GET pair 1 option)
        if(DEFINED arg_${word})
            list(APPEND words ${option} ${arg_${word}})
        endif()
    endforeach()
    if(arg_EXPECT AND NOT arg_EXPECT STREQUAL clean)
        list(JOIN arg_EXPECT "," kinds)
        list(APPEND words --expect ${kinds})
    endif()
    if(arg_INCOMPLETE STREQUAL pass)
        list(APPEND words --incomplete-ok)
    elseif(NOT arg_INCOMPLETE MATCHES "^(fail|skip)$")
        message(FATAL_ERROR "dampi_add_test(${arg_NAME}): INCOMPLETE is fail, pass or skip, not ${arg_INCOMPLETE}")
    endif()
    if(DEFINED arg_REPORTS)
        file(MAKE_DIRECTORY ${arg_REPORTS})
        list(APPEND words --junit ${arg_REPORTS}/${arg_NAME}.junit.xml --sarif ${arg_REPORTS}/${arg_NAME}.sarif
            --code-quality ${arg_REPORTS}/${arg_NAME}.code-quality.json)
    endif()

    list(POP_FRONT arg_COMMAND program)
    if(TARGET ${program})
        set(program $<TARGET_FILE:${program}>)
    endif()
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/dampi)
    add_test(NAME ${arg_NAME} COMMAND ${DAMPI_RUN} ${words} ${arg_OPTIONS} -- ${program} ${arg_COMMAND})
    math(EXPR timeout "${arg_TIME} + 60")
    set_tests_properties(${arg_NAME} PROPERTIES
        PROCESSORS ${arg_NP} TIMEOUT ${timeout} LABELS "dampi;${arg_LABELS}")
    if(arg_INCOMPLETE STREQUAL skip)
        set_tests_properties(${arg_NAME} PROPERTIES SKIP_RETURN_CODE 3)
    endif()
endfunction()
