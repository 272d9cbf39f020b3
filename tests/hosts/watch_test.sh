#!/bin/bash
# watch_test.sh DAMPI_WATCH REMOTE_SHELL SOLVER DEADLOCK
# A job over several hosts, watched: by one monitor on each host, whatever starts the ranks there; what they see comes
# together. A monitor that dies, and a host that is lost, are reported, and the job goes on. Nothing stays behind on any host.
# SOLVER is examples/watch/solver.c, DEADLOCK a program of 2 ranks that receive from each other, both built.
set -u
here=$(dirname "$(readlink -f "$0")")
dampi_watch=$1
solver=$3
deadlock=$4
processes="dampi-watch|solver"
source "$here/sweeps.sh"
up_hosts "$2"
mpiexec=(mpiexec.mpich -launcher ssh -launcher-exec "$HOSTS_STATE/rsh")
printf 'node0\nnode1\nnode2\n' >"$HOSTS_STATE/all"

shopt -s extglob
# watched NAME STATUS OPTION... -- COMMAND...: how it ends on node0, a number or a pattern; what it says is in `said`.
watched() {
    local name=$1 expected=$2 status
    rm -rf "$out"
    said=$("$here/hosts" run node0 timeout -s KILL 200 "$dampi_watch" -o "$out" "${@:3}" 2>&1)
    status=$?
    [[ $status == $expected ]] || fail "$name: exit status $status instead of $expected:"$'\n'"$said"
    nothing_left "$name"
    for host in node0 node1 node2; do
        [[ -z $("$here/hosts" run $host sh -c 'ls -d /dev/shm/dampi-watch.* 2>/dev/null') ]] || fail "$name leaves boards on $host"
    done
}

# says NAME TEXT
says() { [[ $said == *"$2"* ]] || fail "$1: not '$2' in:"$'\n'"$said"; }

# hang NAME EXPRESSION: holds for the report, `h`.
hang() {
    python3 -c "import json, sys; h = json.load(open(sys.argv[1])); sys.exit(0 if ($2) else str(h)[:3000])" "$out/hang.json" ||
        fail "$1: not $2"
}

watched "a loop" 124 --on-hang kill -- "${mpiexec[@]}" -f "$HOSTS_STATE/all" -n 3 "$solver" 100000 loop 1 100
says "a loop" "watches 3 ranks on 3 machines through the light layer"
hang "a loop" 'h["kind"] == "computation" and h["blamed"] == [1] and h["least_progressed"] == [1] and h["ranks_seen"] == 3'
hang "a loop" 'any("relax" == place["function"] for group in h["groups"] if 1 in group["ranks"] for place in group["stack"])'

watched "a deadlock elsewhere" 124 --on-hang kill -- "${mpiexec[@]}" -hosts node1,node2 -n 2 "$deadlock"
says "a deadlock elsewhere" "watches 2 ranks on 2 machines"
hang "a deadlock elsewhere" 'h["kind"] == "deadlock" and h["decided"] == "facts" and h["wait_for"]["core"] == [0, 1]'

# ends NAME OPTION... -- COMMAND...: by itself. MPICH 4.0.2 with UCX does not always get out of MPI_Finalize over hosts, also
# without dampi-watch (two: about one job in eight): what is said of such a job is right, and it is another one's turn.
ends() {
    local before=$failures
    for _ in $(seq 8); do
        watched "$1" 0 --on-hang kill "${@:2}"
        ((failures > before)) || return 0
        python3 -c "import json, sys
sys.exit(any(group['function'] != 'MPI_Finalize' for group in json.load(open(sys.argv[1]))['groups']))" "$out/hang.json" || return
        echo "(which is MPICH's: it is tried again)"
        failures=$before
    done
    fail "$1: never out of MPI_Finalize"
}

ends "none" -- "${mpiexec[@]}" -hosts node0,node1 -n 2 "$solver" 100
says "none" "watches 2 ranks on 2 machines"

ends "never" --network never -- "${mpiexec[@]}" -hosts node0,node1 -n 2 "$solver" 1000
says "never" "the job has 2, the others are on other machines and not watched"

# The monitor of a host is killed: the job goes on, until it is killed, too.
(
    for _ in $(seq 300); do
        "$here/hosts" run node1 pgrep -x dampi-watch >/dev/null && break
        sleep 0.05
    done
    sleep 2
    "$here/hosts" run node1 sh -c 'pkill -KILL -x dampi-watch; rm -rf /dev/shm/dampi-watch.*'  # which nobody else does there
    sleep 5
    "$here/hosts" run node1 pkill -KILL -x solver
) &
watched "a monitor killed" "!(0|124|137)" -- "${mpiexec[@]}" -hosts node0,node1 -n 2 "$solver" 100000
says "a monitor killed" "the monitor on node1 is lost: what the 1 rank there does is not known, so hangs are not told any more"
wait

if command -v slurmctld >/dev/null && command -v munged >/dev/null; then
    trap '"$here/slurm" down; "$here/hosts" down' EXIT
    "$here/slurm" up || exit 1
    export SLURM_CONF=$HOSTS_STATE/slurm/slurm.conf
    watched "srun" 124 --on-hang kill -- srun -N3 -n3 --mpi=pmi2 "$solver" 100000 loop 1 100
    says "srun" "watches 3 ranks on 3 machines"
    hang "srun" 'h["kind"] == "computation" and h["blamed"] == [1]'
    [[ -z $("$here/slurm" run squeue -h) ]] || fail "Slurm has jobs left: $("$here/slurm" run squeue -h)"
else
    echo "there is no Slurm (packages slurm-wlm, munge): that part is left out"
fi
exit $((failures > 0))
