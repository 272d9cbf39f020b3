#!/bin/bash
# workers_test.sh DAMPI_RUN REMOTE_SHELL PROGRAM [ARGUMENT...]
# A sweep whose workers are on other hosts, by ssh and by Slurm, ends like one without workers, also when a whole host is
# lost, or workers are cancelled. Nothing stays behind on any host.
# With KILLS=N in the environment also with 1, 2 and 8 workers, and while workers, dampi-run and whole hosts are killed
# at N random moments (the target hosts_workers_300).
set -u
here=$(dirname "$(readlink -f "$0")")
dampi_run=$1
program=("${@:3}")
processes="dampi-worker|matmul"
source "$here/sweeps.sh"
up_hosts "$2"
known
rows() { python3 -c 'import json, sys; print(*sorted({row["host"] for row in json.load(open(sys.argv[1]))["workers"]["rows"]}))' "$out/report.json"; }

printf 'node1\nnode2:2  # two side by side\n' >"$HOSTS_STATE/list"
check ssh --workers "ssh:$HOSTS_STATE/list"
[[ $(rows) == "node1 node2" ]] || fail "ssh: workers on $(rows)"

if command -v slurmctld >/dev/null && command -v munged >/dev/null; then
    trap '"$here/slurm" down; "$here/hosts" down' EXIT
    "$here/slurm" up || exit 1
    export SLURM_CONF=$HOSTS_STATE/slurm/slurm.conf
    check slurm --workers slurm:3
    # All of a task's processes die, as where memory runs out: the job starts the worker again.
    (
        for _ in $(seq 300); do
            for host in node0 node1 node2; do "$here/hosts" run $host pkill -KILL -o dampi-worker && exit; done
            sleep 0.02
        done
    ) &
    check "slurm, a worker killed" --workers slurm:3
    wait
    # Somebody cancels the job: nobody else will come.
    (
        for _ in $(seq 300); do
            for host in node0 node1 node2; do
                "$here/hosts" run $host pgrep dampi-worker >/dev/null || continue
                sleep 0.5
                "$here/slurm" run squeue -h -o %A | xargs -r "$here/slurm" run scancel
                exit
            done
            sleep 0.1
        done
    ) &
    said=$("$here/hosts" run node0 timeout -s KILL 200 "$dampi_run" "${options[@]}" --workers slurm:2 "${program[0]}" 20 2>&1)
    [[ $? == [23] && $said == *"no other will come: Slurm's job "*" has ended"* ]] || fail "slurm, cancelled: $said"
    wait
    said=$("$here/hosts" run node0 env SLURM_CONF=/nowhere "$dampi_run" "${options[@]}" --workers slurm:2 "${program[@]}" 2>&1)
    [[ $? == 2 && ! -e $out/workers/secret ]] || fail "without Slurm: $said"$'\n'"$(ls "$out/workers")"
    [[ -z $("$here/slurm" run squeue -h) ]] || fail "Slurm has jobs left: $("$here/slurm" run squeue -h)"
else
    echo "there is no Slurm (packages slurm-wlm, munge): that part is left out"
fi

# A whole host vanishes while it has interleavings.
(
    for _ in $(seq 1000); do
        "$here/hosts" run node2 pgrep dampi-worker >/dev/null && break
        sleep 0.01
    done
    sleep 0.3
    kill -9 "$(cat "$HOSTS_STATE/node2.outer")"
) &
check "a host lost" --workers "ssh:$HOSTS_STATE/list" --worker-patience 2
wait
[[ -n ${KILLS:-} ]] || exit $((failures > 0))

# --- the long part ---
begin() {
    "$here/slurm" down 2>/dev/null
    "$here/hosts" down
    HOSTS_STATE=$(mktemp -d /var/tmp/dampi-hosts.XXXXXX) || exit 1
    export HOSTS_STATE DAMPI_SSH=$HOSTS_STATE/rsh SLURM_CONF=$HOSTS_STATE/slurm/slurm.conf
    "$here/hosts" up 3 "$remote_shell" && "$here/slurm" up || exit 1
    out=$HOSTS_STATE/out
    options=(-n 4 --engine central --buffering zero --mpi native -o "$out")
    printf 'node1:2\nnode2:3\nnode0:3\n' >"$HOSTS_STATE/list"
}
remote_shell=$2
begin
for count in 1 2 8; do
    for i in $(seq $count); do echo "node$((i % 3)):1"; done >"$HOSTS_STATE/list.$count"
    check "ssh, $count workers" --workers "ssh:$HOSTS_STATE/list.$count"
    check "slurm, $count workers" --workers slurm:$count
    check "here, $count workers" --workers $count
done
echo "with 1, 2 and 8 workers, here, by ssh and by Slurm: $expected"

RANDOM=${SEED:-28}
declare -A killed=([worker]=0 [coordinator]=0 [host]=0)
sweeps=0
while ((killed[worker] + killed[coordinator] + killed[host] < KILLS && failures == 0)); do
    [[ -e $HOSTS_STATE/node2.gone ]] && begin
    ways=("ssh:$HOSTS_STATE/list" slurm:8 8)
    workers=(--workers "${ways[RANDOM % 3]}" --worker-patience 2)
    command=("${options[@]}" "${workers[@]}" "${program[@]}")
    sweeps=$((sweeps + 1))
    while :; do
        "$here/hosts" run node0 timeout -s KILL 200 "$dampi_run" "${command[@]}" >"$HOSTS_STATE/said" 2>&1 &
        running=$!
        again=0
        while kill -0 $running 2>/dev/null; do
            sleep 0.$((RANDOM % 4))$((RANDOM % 10))
            case $((RANDOM % 12)) in
                0)
                    # Not before it has a journal to go on from.
                    if [[ -s $out/journal ]] && "$here/hosts" run node0 pkill -KILL -x dampi-run; then
                        killed[coordinator]=$((killed[coordinator] + 1))
                        again=1
                        break
                    fi
                    ;;
                1)
                    if [[ ! -e $HOSTS_STATE/node2.gone && $((RANDOM % 3)) == 0 ]]; then
                        kill -9 "$(cat "$HOSTS_STATE/node2.outer")"
                        touch "$HOSTS_STATE/node2.gone"
                        killed[host]=$((killed[host] + 1))
                    fi
                    ;;
                *)
                    host=node$((RANDOM % 3))
                    one=$("$here/hosts" run $host pgrep -x dampi-worker 2>/dev/null | shuf -n 1)
                    if [[ -n $one ]] && "$here/hosts" run $host kill -KILL "$one" 2>/dev/null; then
                        killed[worker]=$((killed[worker] + 1))
                    fi
                    ;;
            esac
        done
        wait $running
        status=$?
        [[ $again == 1 ]] || break
        command=(--resume "$out" "${workers[@]}")
    done
    [[ $status == 0 && $(counts) == "$expected" ]] ||
        fail "killed: exit status $status, $(counts) instead of $expected: ${command[*]}"$'\n'"$(cat "$HOSTS_STATE/said")"
    nothing_left "killed"
    rm -rf "$out"
done
echo "${killed[worker]} workers, ${killed[coordinator]} times dampi-run and ${killed[host]} hosts killed in $sweeps sweeps"
exit $((failures > 0))
