# To be sourced: sweeps on three hosts of namespaces, each compared with one that is known, and nothing of them left on any
# host. Who sources it sets before: `here` (this directory), `dampi_run`, `program` (with arguments), and `processes`, by
# their names, which must not stay.
failures=0

fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# up_hosts REMOTE_SHELL: until the test ends. Where there cannot be any, the test ends with the reason.
up_hosts() {
    HOSTS_STATE=$(mktemp -d /var/tmp/dampi-hosts.XXXXXX) || exit 1  # the paths of sockets must be short
    export HOSTS_STATE DAMPI_SSH=$HOSTS_STATE/rsh
    trap '"$here/hosts" down' EXIT
    "$here/hosts" up 3 "$1" || exit
    export TMPDIR=$HOSTS_STATE/tmp
    out=$HOSTS_STATE/out
    options=(-n 4 --engine central --buffering zero --mpi native -o "$out")
}

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
        others=$(for host in node0 node1 node2; do "$here/hosts" run $host pgrep -a "$processes" 2>/dev/null; done)
        [[ -n $others ]] || return
        sleep 0.1
    done
    fail "$1 leaves behind: $others"
}

# known: what comes of the sweep on one host, as counts() has it, is `expected` from now on.
known() {
    "$here/hosts" run node0 timeout -s KILL 200 "$dampi_run" "${options[@]}" --merge-states never "${program[@]}" >/dev/null
    expected=$(counts)
    [[ $expected == clean* ]] || fail "on one host: $expected"
}

# check NAME OPTION...: runs it on node0, by the command `under` if there is one.
under=()
check() {
    local name=$1 said status
    said=$("$here/hosts" run node0 timeout -s KILL 200 "${under[@]}" "$dampi_run" "${options[@]}" "${@:2}" "${program[@]}" 2>&1)
    status=$?
    [[ $status == 0 && $(counts) == "$expected" ]] ||
        fail "$name: exit status $status, $(counts) instead of $expected:"$'\n'"$said"
    [[ ! -e $out/workers ]] || [[ -z $(ls "$out/workers" | grep -v log) ]] || fail "$name: $(ls "$out/workers")"
    nothing_left "$name"
}
