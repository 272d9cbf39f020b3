#!/bin/bash
# hosts_test.sh DAMPI_RUN REMOTE_SHELL PROGRAM ALL_MEET [ARGUMENT...]
# A sweep whose ranks are on several hosts, by ssh or on the nodes of Slurm's allocation, ends like one on one machine, also
# when a whole host is lost; nothing stays behind on any host. ALL_MEET prints the name of each rank's host. Arguments are PROGRAM's.
set -u
here=$(dirname "$(readlink -f "$0")")
dampi_run=$1
all_meet=$4
program=("$3" "${@:5}")
processes="dampi-node|dampi-run|matmul|all_meet"
source "$here/sweeps.sh"
up_hosts "$2"
options+=(--merge-states never)
known

check "two others" --hosts node1:2,node2:2
check "with this one" --hosts node0:1,node1:2,node2:1
printf 'node2:3\nnode0   # this one\n' >"$HOSTS_STATE/list"
check "a file" --hostfile "$HOSTS_STATE/list"

# Each rank is where it belongs.
"$here/hosts" run node0 timeout -s KILL 200 "$dampi_run" -n 3 --keep-output all --hosts node1:1,node0:1,node2:1 -o "$out" \
    "$all_meet" >/dev/null || fail "all_meet: exit status $?"
[[ $(sort "$out/output/000001.out") == $'rank 0 is on node1\nrank 1 is on node0\nrank 2 is on node2' ]] ||
    fail "ranks are on other hosts: $(cat "$out"/output/*.out)"
nothing_left all_meet

# Inside of an allocation of Slurm's the ranks are on its nodes.
if command -v slurmctld >/dev/null && command -v munged >/dev/null; then
    trap '"$here/slurm" down; "$here/hosts" down' EXIT
    "$here/slurm" up || exit 1
    export SLURM_CONF=$HOSTS_STATE/slurm/slurm.conf
    # where ALLOCATION EXPECTED OPTION...: in which order ALL_MEET's ranks say on which hosts they are.
    where() {
        "$here/hosts" run node0 timeout -s KILL 200 salloc -Q $1 "$dampi_run" --keep-output all -o "$out" "${@:3}" \
            "$all_meet" >/dev/null || fail "in salloc $1, ${*:3}: exit status $?"
        local said=$(sort "$out/output/000001.out" | sed 's/.* //' | tr '\n' ' ')
        [[ $said == "$2 " ]] || fail "in salloc $1, ${*:3}: ranks are on $said"
    }
    where "-N2 -n3 -w node1,node2" "node1 node1 node2"
    where "-N3 -n3" "node0 node1 node2"
    where "-N3 -n3" "node0 node1" -n 2
    where "-N2 -n3" "node0 node0 node0" -n 3 --hosts none
    where "-N1 -n2" "node0 node0" -n 2
    where "-N2 -n2" "node0 node0" -n 2 --launcher "mpiexec.mpich -hosts node0 -n {n} {command}"
    said=$("$here/hosts" run node0 salloc -Q -N2 -n2 "$dampi_run" -n 3 -o "$out" "$all_meet" 2>&1)
    [[ $? == 2 && $said == *"has 2 tasks"* ]] || fail "more ranks than tasks: $said"
    where "-N1 -n2" "node0 node0"
    said=$("$here/hosts" run node0 salloc -Q -N2 -n2 "$dampi_run" --show-output -o "$out" "$all_meet" 2>&1)
    [[ $? == 2 && $said == *"the nodes of Slurm's allocation"*"--hosts none"* ]] || fail "--show-output: $said"

    # Whoever cancels a job ends ranks and dampi-run alike, which is nothing of the program's.
    for hosts in "" "--hosts none"; do
        rm -rf "$out"
        "$here/hosts" run node0 sbatch -Q -N2 --ntasks-per-node=2 -w node0,node1 --output=/dev/null \
            --wrap "exec $dampi_run -n 4 $hosts --merge-states never --buffering zero --progress none -o $out ${program[0]} 20"
        for _ in $(seq 600); do
            [[ -s $out/journal ]] && break
            sleep 0.1
        done
        sleep 0.5
        "$here/slurm" run squeue -h -o %A | xargs -r "$here/slurm" run scancel
        for _ in $(seq 300); do
            [[ -e $out/report.json ]] && break
            sleep 0.1
        done
        [[ $(python3 -c 'import json, sys; report = json.load(open(sys.argv[1])); print(report["verdict"], report["violations"], report["doubts"])' \
            "$out/report.json") == "incomplete [] []" ]] || fail "cancelled, $hosts: $(cat "$out/report.json" | head -c 3000)"
        nothing_left "cancelled, $hosts"
    done

    # A sweep goes on in any allocation of the same shape, and nowhere else.
    with_n=("${options[@]}")
    options=("${options[@]:2}")
    under=(salloc -Q -N2 --ntasks-per-node=2 -w node0,node1)
    check "salloc"
    "$here/hosts" run node0 timeout -s KILL 200 "${under[@]}" "$dampi_run" "${options[@]}" --max-interleavings 3 \
        "${program[@]}" >/dev/null
    options=(--resume "$out" --max-interleavings 1000000)
    program_before=("${program[@]}")
    program=()
    said=$("$here/hosts" run node0 "$dampi_run" "${options[@]}" 2>&1)
    [[ $? == 2 && $said == *"it goes on inside of another one"* ]] || fail "resumed outside: $said"
    said=$("$here/hosts" run node0 salloc -Q -N3 -n3 "$dampi_run" "${options[@]}" 2>&1)
    [[ $? == 2 && $said == *"the list of --hosts was"* ]] || fail "resumed on three nodes: $said"
    under=(salloc -Q -N2 --ntasks-per-node=2 -w node1,node2)
    check "resumed on other nodes"
    under=()
    program=("${program_before[@]}")
    options=("${with_n[@]}")
    [[ -z $("$here/slurm" run squeue -h) ]] || fail "Slurm has jobs left: $("$here/slurm" run squeue -h)"
else
    echo "there is no Slurm (packages slurm-wlm, munge): that part is left out"
fi

# A whole host vanishes while its ranks run: no finding comes of it, and the sweep can go on.
(
    for _ in $(seq 1000); do
        "$here/hosts" run node2 pgrep matmul >/dev/null && break
        sleep 0.01
    done
    kill -9 "$(cat "$HOSTS_STATE/node2.outer")"
) &
said=$("$here/hosts" run node0 timeout -s KILL 200 "$dampi_run" "${options[@]}" --hosts node1:2,node2:2 "${program[@]}" 2>&1)
status=$?
wait
[[ $status == 2 && $said == *"host node2"* ]] || fail "a host lost: exit status $status: $said"
nothing_left "a host lost"
exit $((failures > 0))
