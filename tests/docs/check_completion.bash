# check_completion.bash FILE: sees what bash's completion of dampi-run offers.
set -eu
source "$1"

# offers WORDS... : what is offered for the last of the words, in one line.
offers() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _dampi_run
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
expect "" dampi-run -n 3 --junit x           # a file's name: bash's own
expect "" dampi-run -n 3 ./app --repl        # the program's words
expect "" dampi-run -np 3 -- --repl
expect "--replay" dampi-run --mpi = native --repl
[[ $(complete -p dampi-run) == *"-F _dampi_run dampi-run" ]]
