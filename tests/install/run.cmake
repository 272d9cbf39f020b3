# run(<expected status> <command>...): runs the command in WORK, for at most `run_timeout` seconds; the text it prints is
# in `text`.
function(run expected)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} TIMEOUT ${run_timeout}
        RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT status EQUAL expected)
        list(JOIN ARGN " " line)
        message(FATAL_ERROR "'${line}' ended with ${status}, not ${expected}:\n${text}")
    endif()
    set(text "${text}" PARENT_SCOPE)
endfunction()
