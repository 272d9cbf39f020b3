# check_completion.bash FOLDER: sees what bash's completion of dampi-run and dampi-report offers.
set -eu
source "$1/dampi-run.bash"
source "$1/dampi-report.bash"

# offers WORDS... : what is offered for the last of the words, in one line.
offers() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    "_${1//-/_}"
    echo "${COMPREPLY[*]-}"
}

# expect WANTED WORDS...
expect() {
    local wanted=$1 got
    shift
    got=$(offers "$@")
    if [[ $got != "$wanted" ]]; then
        echo "completing '$*' offers '$got', not '$wanted'" >&2
        exit 1
    fi
}

expect "--replay" dampi-run --repl
expect "--jobs" dampi-run -n 3 --jo
expect "all findings" dampi-run --keep-output ""
expect "findings" dampi-run -n 3 --keep-output f
expect "native" dampi-run --mpi = n
expect "auto native" dampi-run --mpi =
expect "auto vector lamport" dampi-run --clock ""
expect "auto central distributed" dampi-run --engine = ""
expect "both native zero infinite all" dampi-run -n 3 --buffering ""
expect "dfs" dampi-run --order d
expect "none ssh: slurm:" dampi-run --workers ""
expect "unusual" dampi-run --warn u
expect "leak/memory leak/message" dampi-run --expect leak/me
expect "leak/memory,deadlock" dampi-run --expect leak/memory,deadl
expect "new,error" dampi-run --fail-on new,err
expect "deadlock" dampi-run --explain deadl
expect "list livelock" dampi-run --explain li
expect "--replay" dampi-run --explain --repl
expect "--sarif" dampi-report dampi-out --sar
expect "" dampi-report --junit x
expect "$1" dampi-report -q "$1"
expect "" dampi-run -n 3 --junit x           # a file's name: bash's own
expect "" dampi-run -n 3 ./app --repl        # the program's words
expect "" dampi-run -np 3 -- --repl
expect "--replay" dampi-run --mpi = native --repl
[[ $(complete -p dampi-run) == *"-F _dampi_run dampi-run" ]]
[[ $(complete -p dampi-report) == *"-F _dampi_report dampi-report" ]]
