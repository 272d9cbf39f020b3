# dampi_add_test: a ctest test that verifies an MPI program with dampi-run; dampi_discover_gtests: one for each test of a
# GoogleTest program.
#
#   dampi_add_test(NAME exchange NP 3 COMMAND exchange --size 8
#                  [BUDGET interleavings] [TIME seconds] [BUFFERING kind] [ENGINE kind] [OPTIONS option...]
#                  [EXPECT clean | kind...] [BASELINE report.json] [SUPPRESSIONS file] [CORPUS directory]
#                  [CACHE directory] [INCOMPLETE fail|pass|skip] [REPORTS folder] [LABELS label...])
#
#   COMMAND     a target or a program, and its arguments
#   BUDGET      at most so many interleavings (--max-interleavings); without it, all
#   TIME        at most so many seconds (--time-limit), 600 unless given; ctest's own limit is a minute more
#   BUFFERING, ENGINE, OPTIONS   as dampi-run has them
#   EXPECT      what there is to be found; `clean`, the default: nothing
#   BASELINE    an earlier report.json: only findings that it has not fail
#   SUPPRESSIONS   a file of findings to live with
#   CORPUS      a directory of decision files that are replayed first; OPTIONS --corpus-add puts what fails into it
#   CACHE       a directory in which verdicts are kept for as long as nothing changes; OPTIONS --cache-input names files
#   INCOMPLETE  what becomes of a test that finds nothing but has left something out: by default it is skipped, which
#               ctest says; with `fail` it fails, with `pass` it passes
#   REPORTS     the folder for NAME.junit.xml, NAME.sarif and NAME.code-quality.json; it is made
#   LABELS      beside `dampi`
# Where they are not absolute, BASELINE, SUPPRESSIONS and CORPUS are in the current source directory, CACHE and REPORTS in
# the current binary directory.
#
#   dampi_discover_gtests(unit_tests NP 3 [TEST_PREFIX prefix] [the words above from BUDGET on])
#
# The target's tests are listed when it has been built, by running it with --gtest_list_tests as one process; so it must
# not need more before RUN_ALL_TESTS(). Each is a ctest test called prefix and Suite.Case (in all names '/' becomes '.'),
# which verifies a run with that --gtest_filter. Disabled ones are left out.
#
# The sweep is in dampi/NAME of the current binary directory. Needs CMake 3.20. The tests run with the dampi-run that
# belongs to the package, or that is built with the project where dampi is a part of it (add_subdirectory, FetchContent);
# set DAMPI_RUN for another one.

# Makes of the caller's arg_... the options of a sweep (`words`) and the properties of its test (`properties`).
macro(_dampi_settle function name)
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${function}(${name}): unknown words: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT DAMPI_RUN AND TARGET dampi-run)
        set(DAMPI_RUN $<TARGET_FILE:dampi-run>)
    endif()
    if(NOT DAMPI_RUN)
        message(FATAL_ERROR "${function}(${name}): set DAMPI_RUN to the path of dampi-run")
    endif()
    if(NOT DEFINED arg_TIME)
        set(arg_TIME 600)
    endif()
    if(NOT DEFINED arg_INCOMPLETE)
        set(arg_INCOMPLETE skip)
    endif()

    foreach(word IN ITEMS BASELINE SUPPRESSIONS CORPUS)
        if(DEFINED arg_${word} AND NOT arg_${word} MATCHES "^[$]<")
            get_filename_component(arg_${word} ${arg_${word}} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
        endif()
    endforeach()
    foreach(word IN ITEMS CACHE REPORTS)
        if(DEFINED arg_${word} AND NOT arg_${word} MATCHES "^[$]<")
            get_filename_component(arg_${word} ${arg_${word}} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
        endif()
    endforeach()

    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/dampi)
    set(words -n ${arg_NP} -o ${CMAKE_CURRENT_BINARY_DIR}/dampi/${name} --time-limit ${arg_TIME})
    foreach(pair IN ITEMS "BUDGET=--max-interleavings" "BUFFERING=--buffering" "ENGINE=--engine" "BASELINE=--baseline"
                 "SUPPRESSIONS=--suppressions" "CORPUS=--corpus" "CACHE=--cache")
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
        message(FATAL_ERROR "${function}(${name}): INCOMPLETE is fail, pass or skip, not ${arg_INCOMPLETE}")
    endif()
    if(DEFINED arg_REPORTS)
        file(MAKE_DIRECTORY ${arg_REPORTS})
        string(REPLACE "/" "." stem ${name})
        list(APPEND words --junit ${arg_REPORTS}/${stem}.junit.xml --sarif ${arg_REPORTS}/${stem}.sarif
            --code-quality ${arg_REPORTS}/${stem}.code-quality.json)
    endif()
    list(APPEND words ${arg_OPTIONS})

    math(EXPR timeout "${arg_TIME} + 60")
    set(properties PROCESSORS ${arg_NP} TIMEOUT ${timeout})
    if(arg_INCOMPLETE STREQUAL skip)
        list(APPEND properties SKIP_RETURN_CODE 3)
    endif()
endmacro()

function(dampi_add_test)
    set(single "NAME;NP;BUDGET;TIME;BUFFERING;ENGINE;BASELINE;SUPPRESSIONS;CORPUS;CACHE;INCOMPLETE;REPORTS")
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "${single}" "COMMAND;OPTIONS;EXPECT;LABELS")
    foreach(word IN ITEMS NAME NP COMMAND)
        if(NOT DEFINED arg_${word})
            message(FATAL_ERROR "dampi_add_test: ${word} is missing")
        endif()
    endforeach()
    _dampi_settle(dampi_add_test ${arg_NAME})
    list(POP_FRONT arg_COMMAND program)
    if(TARGET ${program})
        set(program $<TARGET_FILE:${program}>)
    endif()
    add_test(NAME ${arg_NAME} COMMAND ${DAMPI_RUN} ${words} -- ${program} ${arg_COMMAND})
    set_tests_properties(${arg_NAME} PROPERTIES ${properties} LABELS "dampi;${arg_LABELS}")
endfunction()

function(dampi_discover_gtests target)
    set(single "NP;TEST_PREFIX;BUDGET;TIME;BUFFERING;ENGINE;BASELINE;SUPPRESSIONS;CORPUS;CACHE;INCOMPLETE;REPORTS")
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "${single}" "OPTIONS;EXPECT;LABELS")
    if(NOT TARGET ${target} OR NOT DEFINED arg_NP)
        message(FATAL_ERROR "dampi_discover_gtests: a target and NP are needed")
    endif()
    _dampi_settle(dampi_discover_gtests "@TEST@")  # its name is put in when it is known
    set(base ${CMAKE_CURRENT_BINARY_DIR}/dampi/${target})
    file(GENERATE OUTPUT ${base}-settings.cmake CONTENT "set(program [==[$<TARGET_FILE:${target}>]==])
set(command [==[${DAMPI_RUN};${words}]==])
set(properties [==[${properties}]==])
set(labels [==[dampi;${arg_LABELS}]==])
set(prefix [==[${arg_TEST_PREFIX}]==])
set(tests [==[${base}-tests.cmake]==])
")
    add_custom_command(TARGET ${target} POST_BUILD
        COMMAND ${CMAKE_COMMAND} -D SETTINGS=${base}-settings.cmake -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/dampi-discover-gtests.cmake
        VERBATIM)
    file(WRITE ${base}-include.cmake "if(EXISTS [==[${base}-tests.cmake]==])
    include([==[${base}-tests.cmake]==])
else()
    add_test([==[${target}_NOT_BUILT]==] [==[${target}_NOT_BUILT]==])
endif()
")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${base}-include.cmake)
endfunction()
