# cmake -DNM=<nm> -DPACKAGE=<the package's libmpich> -DPATCHED=<folder> -DNAME=<library> -P compare_symbols.cmake
# Fails when the patched library lacks a symbol that the package's exports.
cmake_minimum_required(VERSION 3.25)
get_filename_component(folder "${PACKAGE}" DIRECTORY)

function(read_symbols library result)
    execute_process(COMMAND "${NM}" -D --defined-only "${library}" OUTPUT_VARIABLE text RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "The symbols of ${library} cannot be read")
    endif()
    string(REGEX MATCHALL "[^ \n@]+(@[^ \n]*)?\n" lines "${text}")
    list(TRANSFORM lines REPLACE "(@.*)?\n$" "")
    # Of MPI's, in all languages; what an implementation exports besides is its own affair.
    list(FILTER lines INCLUDE REGEX "^_?_?(P?MPI|p?mpi|_ZN[0-9K]*3MPI|P?MPIX)")
    set(${result} "${lines}" PARENT_SCOPE)
endfunction()

read_symbols("${folder}/${NAME}" expected)
read_symbols("${PATCHED}/${NAME}" found)
list(LENGTH expected count)
if(count LESS 100)
    message(FATAL_ERROR "Only ${count} symbols were found in the package's ${NAME}")
endif()
list(REMOVE_ITEM expected ${found})
# Weak copies of templates and inline functions are what the compiler made of them.
if(expected)
    list(JOIN expected "\n  " missing)
    message(FATAL_ERROR "The patched ${NAME} lacks:\n  ${missing}")
endif()
message(STATUS "${count} symbols of ${NAME} are there")
