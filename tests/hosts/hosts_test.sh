#!/bin/bash
# hosts_test.sh DAMPI_RUN REMOTE_SHELL PROGRAM ALL_MEET [ARGUMENT...]
# A sweep whose ranks are on several hosts, by ssh, ends like one on one machine, also when a whole host is lost; nothing
# stays behind on any host. ALL_MEET prints the name of each rank's host. Arguments are PROGRAM's.
set -u
here=$(dirname "$(readlink -f "$0")")
dampi_run=$1
all_meet=$4
program=("$3" "${@:5}")
failures=0

fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

HOSTS_STATE=$(mktemp -d /var/tmp/dampi-hosts.XXXXXX) || exit 1  # the paths of sockets must be short
export HOSTS_STATE
trap '"$here/hosts" down' EXIT
"$here/hosts" up 3 "$2" || exit
out=$HOSTS_STATE/out
options=(-n 4 --engine central --buffering zero --mpi native --merge-states never -o "$out")
export DAMPI_SSH=$HOSTS_STATE/rsh

# What must be the same.
counts() {
    python3 - "$out/report.json" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
print(report["verdict"], report["complete"], report["interleavings"]["explored"], report["interleavings"]["duplicates"],
      hash(tuple(sorted(str(each["buffering"]) + str(each["outcomes"]) for each in report["outcomes"]))))
END
}
export PYTHONHASHSEED=0

# nothing_left NAME: of it, on any host that is there.
nothing_left() {
    local others
    for _ in $(seq 100); do  # what is on its way out
        others=$(for host in node0 node1 node2; do "$here/hosts" run $host pgrep -a "dampi-node|dampi-run|matmul|all_meet" 2>/dev/null; done)
        [[ -n $others ]] || return
        sleep 0.1
    done
    fail "$1 leaves behind: $others"
}

# check NAME OPTION...: runs it on node0.
check() {
    local name=$1 said status
    said=$("$here/hosts" run node0 timeout -s KILL 200 "$dampi_run" "${options[@]}" "${@:2}" "${program[@]}" 2>&1)
    status=$?
    [[ $status == 0 && $(counts) == "$expected" ]] ||
        fail "$name: exit status $status, $(counts) instead of $expected:"$'\n'"$said"
    nothing_left "$name"
}

"$here/hosts" run node0 timeout -s KILL 200 "$dampi_run" "${options[@]}" "${program[@]}" >/dev/null
expected=$(counts)
[[ $expected == clean* ]] || fail "on one host: $expected"

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
