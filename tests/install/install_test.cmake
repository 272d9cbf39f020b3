# Installs a build into WORK (DESTDIR), moves the tree elsewhere, and sees that the tool works from there with
# the installed layer. See CMakeLists.txt for the variables.
cmake_minimum_required(VERSION 3.25)

# run(<expected status> <command>...): the text it prints is in `text`.
function(run expected)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} TIMEOUT 120
        RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT status EQUAL expected)
        list(JOIN ARGN " " line)
        message(FATAL_ERROR "'${line}' ended with ${status}, not ${expected}:\n${text}")
    endif()
    set(text "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run(0 ${CMAKE_COMMAND} -E env DESTDIR=${WORK}/first ${CMAKE_COMMAND} --install ${BUILD})
foreach(file IN ITEMS ${BINDIR}/dampi-run ${LAYER} ${HELPER} ${MANDIR}/man1/dampi-run.1)
    if(NOT EXISTS ${WORK}/first${file})
        message(FATAL_ERROR "${file} is not installed")
    endif()
endforeach()

# Only what a user needs.
file(GLOB_RECURSE installed RELATIVE ${WORK}/first${PREFIX} ${WORK}/first/*)
list(LENGTH installed count)
if(count GREATER 10)
    message(FATAL_ERROR "${count} files are installed: ${installed}")
endif()

file(RENAME ${WORK}/first ${WORK}/moved)
set(tool ${WORK}/moved${BINDIR}/dampi-run)
run(0 ${tool} --version)
if(NOT text MATCHES "${VERSION}")
    message(FATAL_ERROR "--version says: ${text}")
endif()

run(0 ${tool} -n 1 -o ${WORK}/layer ${WHICH_LAYER})
file(GLOB_RECURSE outputs ${WORK}/layer/output/*.out)
set(found "")
foreach(output IN LISTS outputs)
    file(READ ${output} text)
    string(APPEND found "${text}")
endforeach()
if(NOT found MATCHES "layer: ${WORK}/moved${LAYER}")
    message(FATAL_ERROR "The installed layer is not the one that was used; the program printed: ${found}")
endif()

find_program(mpiexec NAMES mpiexec.mpich mpiexec)
if(mpiexec)
    run(1 ${tool} -n 3 --launcher mpiexec -o ${WORK}/launcher ${RARE_ORDER})
endif()
run(1 ${tool} -n 3 -o ${WORK}/rare_order ${RARE_ORDER})
file(READ ${WORK}/rare_order/report.json report)
string(JSON verdict GET "${report}" verdict)
if(NOT verdict STREQUAL "violations")
    message(FATAL_ERROR "The report's verdict is ${verdict}")
endif()
