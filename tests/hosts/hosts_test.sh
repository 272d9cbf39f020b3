#!/bin/bash
# hosts_test.sh DAMPI_RUN REMOTE_SHELL PROGRAM ALL_MEET [ARGUMENT...]
# A sweep whose ranks are on several hosts, by ssh, ends like one on one machine, also when a whole host is lost; nothing
# stays behind on any host. ALL_MEET prints the name of each rank's host. Arguments are PROGRAM's.
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
