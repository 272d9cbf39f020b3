#!/bin/bash
# oracle_test.sh DAMPI_RUN REMOTE_SHELL ORACLE_CHECK INTERPRETER SEED PROGRAMS [OPTION...]
# The oracle's random programs with their ranks on two hosts: PROGRAMS on two others, where all sends wait for their
# receives, and as many with the host of dampi-run among them. Nothing disagrees with the model. Options are those of
# oracle_check.
set -u
here=$(dirname "$(readlink -f "$0")")
dampi_run=$1
processes="dampi-node|dampi-run|interpreter"
source "$here/sweeps.sh"
up_hosts "$2"
seed=$5
for way in "node1,node2 --buffering zero" "node0,node1 --buffering native"; do
    "$here/hosts" run node0 "$3" --dampi-run "$dampi_run" --interpreter "$4" --engine central --hosts $way --features all \
        --most-executions 16 --seed "$seed" --programs "$6" --work "$HOSTS_STATE/oracle" "${@:7}" ||
        fail "$way: exit status $?"
    nothing_left "$way"
    seed=$((seed + $6))
done
exit $((failures > 0))
