#!/bin/bash
# refused_test.sh DAMPI_RUN REMOTE_SHELL PROGRAM
# Ranks that start on another host than dampi-run's are refused in one sentence, and so are those that do not find each
# other; on its own host Slurm's and mpiexec's ranks are verified. Nothing stays behind on any host.
set -u
here=$(dirname "$(readlink -f "$0")")
dampi_run=$1
program=$3
failures=0

fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# check STATUS TEXT LAUNCHER: how dampi-run ends on node0 with this launcher, and what it says.
check() {
    local expected=$1 text=$2 launcher=$3 status said others
    said=$("$here/slurm" run timeout -s KILL 60 "$dampi_run" -n 2 --mpi native --buffering native -o "$work" \
        --launcher "$launcher" "$program" 2>&1)
    status=$?
    if [[ $status != "$expected" || $said != *"$text"* ]]; then
        fail "$launcher: exit status $status instead of $expected, or not '$text' in:"$'\n'"$said"
    fi
    for _ in $(seq 100); do  # what a launcher leaves to end
        others=$("$here/hosts" run node0 pgrep -a "dampi-rank|all_meet|dampi-run"
            "$here/hosts" run node1 pgrep -a "dampi-rank|all_meet")
        [[ -n $others ]] || return
        sleep 0.1
    done
    fail "$launcher leaves behind: $others"
}

HOSTS_STATE=$(mktemp -d /var/tmp/dampi-hosts.XXXXXX) || exit 1  # the paths of sockets must be short
export HOSTS_STATE
trap '"$here/hosts" down' EXIT
"$here/hosts" up 2 "$2" || exit
work=$HOSTS_STATE/dampi-out
trap '"$here/slurm" down; "$here/hosts" down' EXIT
command -v slurmctld >/dev/null && command -v munged >/dev/null || { echo "there is no Slurm (packages slurm-wlm, munge)"; exit 77; }
"$here/slurm" up || exit 1
printf 'node0\nnode1\n' >"$HOSTS_STATE/both"

other="the launcher starts ranks on node1, and all must run on node0, where dampi-run is"
mpiexec="mpiexec.mpich -launcher ssh -launcher-exec $HOSTS_STATE/rsh"
check 2 "$other" "srun -N2 --mpi=pmi2 -n {n} {command}"
check 2 "$other" "srun -l -N1 -w node1 --mpi=pmi2 -n {n} {command}"
check 2 "$other" "$mpiexec -f $HOSTS_STATE/both -n {n} {command}"
check 2 "rank 0 of 2 has begun MPI as rank 0 of 1: " "srun -N1 -w node0 --mpi=none -n {n} {command}"
check 0 "verdict: clean" "srun -N1 -w node0 --mpi=pmi2 -n {n} {command}"
check 0 "verdict: clean" "$mpiexec -hosts node0 -n {n} {command}"
exit $((failures > 0))
