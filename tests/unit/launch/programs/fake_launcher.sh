#!/bin/sh
# A process manager for the tests of CommandJob: fake_launcher.sh MODE N COMMAND... starts COMMAND as ranks 0 to N-1.
# What it says of itself goes to its standard output and error.
mode=$1
n=$2
shift 2

start() { # rank, command
    rank=$1
    shift
    PMI_RANK=$rank PMI_SIZE=$n "$@" &
}

start_all() {
    i=0
    while [ $i -lt "$n" ]; do
        start $i "$@"
        i=$((i + 1))
    done
}

case $mode in
    plain) start_all "$@" ;;
    says)
        echo "launcher: DAMPI_NEW=${DAMPI_NEW-unset}"
        echo "launcher: error" >&2
        start_all "$@"
        ;;
    # Those that go wrong.
    silent) sleep 1000 ;;
    explains)
        echo "first line" >&2
        echo "no such host" >&2
        exit 7
        ;;
    fewer)
        n=$((n - 1))
        start_all "$@"
        ;;
    one_missing) # and nobody can tell
        i=1
        while [ $i -lt "$n" ]; do
            PMI_RANK=$i "$@" &
            i=$((i + 1))
        done
        ;;
    one_too_many)
        i=0
        while [ $i -le "$n" ]; do
            PMI_RANK=$i "$@" &
            i=$((i + 1))
        done
        ;;
    twice)
        start 0 "$@"
        start_all "$@"
        ;;
    no_rank) "$@" & ;;
    other_token)
        helper=$1
        shift 2
        start_all "$helper" other "$@"
        ;;
    slurm)
        i=0
        while [ $i -lt "$n" ]; do
            SLURM_PROCID=$i SLURM_STEP_NUM_TASKS=$n "$@" &
            i=$((i + 1))
        done
        ;;
    # Those that end ranks, with the signal in the mode's name, as soon as the file "go" is there.
    end_*)
        start_all "$@"
        while ! [ -e go ]; do sleep 0.01; done
        kill "-${mode#end_}" $(pgrep -P $$ -f dampi-rank)
        ;;
    leaves) # something in a session of its own, and stays itself
        setsid sh -c 'echo >there; exec sleep 1000' &
        while ! [ -e there ]; do sleep 0.01; done
        start_all "$@"
        trap '' TERM
        while :; do sleep 1; done
        ;;
    gone) # its ranks are somebody else's from the start on
        start_all "$@"
        exit 0
        ;;
    *)
        echo "unknown mode $mode" >&2
        exit 2
        ;;
esac
wait
