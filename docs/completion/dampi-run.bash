# Completion of dampi-run's command line for bash. Made from scheduler/cli/options.def.
_dampi_run() {
    local options='-n --env --launcher --hosts --hostfile --mpi --no-prepare --fresh-dir -j --jobs --workers --worker-wait --worker-patience --suite --resume --replay --max-interleavings --time-limit --hang-limit --livelock-limit --stop-on-first --clock --engine --snapshots --merge-states --explore-polls --buffering --piggyback --order --seed --sample --minimize --explain-order --virtual-time --real-time --no-message-leaks --warn --check-buffers --scale-bounds --exit-ok --wrapper --mixing-bound --mixing-unit --loop-bound --explore --skip --ignore-brackets -o --output --keep-output --junit --sarif --code-quality --trace --baseline --suppressions --gen-suppressions --fail-on --expect --incomplete-ok --corpus --corpus-add --cache --cache-input --open --progress --show-output -v --verbose -q --quiet --explain -h --help --version'
    local with_value=' -np -n --env --launcher --hosts --hostfile --mpi -j --jobs --workers --worker-wait --worker-patience --suite --resume --replay --max-interleavings --time-limit --hang-limit --livelock-limit --clock --engine --snapshots --merge-states --explore-polls --buffering --piggyback --order --seed --sample --warn --scale-bounds --exit-ok --wrapper --mixing-bound --mixing-unit --loop-bound --explore --skip -o --output --keep-output --junit --sarif --code-quality --trace --baseline --suppressions --fail-on --expect --corpus --cache --cache-input --progress ' with_value_or_not=' --explain '
    local current=${COMP_WORDS[COMP_CWORD]} i option='' values='' list='' before=''
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        option=''
        if [[ $with_value == *" ${COMP_WORDS[i]} "* ||
              $with_value_or_not == *" ${COMP_WORDS[i]} "* && ${COMP_WORDS[i + 1]} != -* ]]; then
            option=${COMP_WORDS[i]}
            [[ ${COMP_WORDS[i + 1]} != = ]] || ((i++))
            ((++i < COMP_CWORD)) || break
            option=''
        elif [[ ${COMP_WORDS[i]} != -?* || ${COMP_WORDS[i]} == -- ]]; then
            return  # what follows is the program's
        fi
    done
    case $option in
        --hosts) values='none' ;;
        --mpi) values='auto native' ;;
        -j | --jobs) values='auto' ;;
        --workers) values='none ssh: slurm:' ;;
        --max-interleavings) values='none' ;;
        --time-limit) values='none' ;;
        --hang-limit) values='auto none' ;;
        --clock) values='auto vector lamport' ;;
        --engine) values='auto central distributed' ;;
        --snapshots) values='auto never always' ;;
        --merge-states) values='auto never always check' ;;
        --explore-polls) values='auto' ;;
        --buffering) values='both native zero infinite all' ;;
        --piggyback) values='auto native shared' ;;
        --order) values='newest dfs bfs random' ;;
        --sample) values='auto' ;;
        --warn) values='unusual' ;;
        --mixing-bound) values='none' ;;
        --mixing-unit) values='epochs zones' ;;
        --loop-bound) values='none auto' ;;
        --keep-output) values='all findings' ;;
        --fail-on) values='all new error portability warning abort argument/assertion argument/base argument/buffer argument/communicator argument/count argument/datatype argument/dimensions argument/displacement argument/file argument/group argument/info argument/keyval argument/lock argument/mode argument/operator argument/rank argument/ready argument/request argument/root argument/session argument/size argument/synchronization argument/tag argument/topology argument/value argument/window buffer/modified buffer/overlap buffer/read collective/mismatch crash deadlock exit hang leak/communicator leak/datatype leak/errhandler leak/file leak/group leak/info leak/keyval leak/memory leak/message leak/operator leak/request leak/session leak/window livelock rma/race sanitizer/address sanitizer/leak sanitizer/thread sanitizer/undefined thread/collective thread/level thread/request truncation type/collective type/message' list=1 ;;
        --expect) values='abort argument/assertion argument/base argument/buffer argument/communicator argument/count argument/datatype argument/dimensions argument/displacement argument/file argument/group argument/info argument/keyval argument/lock argument/mode argument/operator argument/rank argument/ready argument/request argument/root argument/session argument/size argument/synchronization argument/tag argument/topology argument/value argument/window buffer/modified buffer/overlap buffer/read collective/mismatch crash deadlock exit hang leak/communicator leak/datatype leak/errhandler leak/file leak/group leak/info leak/keyval leak/memory leak/message leak/operator leak/request leak/session leak/window livelock rma/race sanitizer/address sanitizer/leak sanitizer/thread sanitizer/undefined thread/collective thread/level thread/request truncation type/collective type/message' list=1 ;;
        --progress) values='auto line json none' ;;
        --explain) values='list not-checked abort argument/assertion argument/base argument/buffer argument/communicator argument/count argument/datatype argument/dimensions argument/displacement argument/file argument/group argument/info argument/keyval argument/lock argument/mode argument/operator argument/rank argument/ready argument/request argument/root argument/session argument/size argument/synchronization argument/tag argument/topology argument/value argument/window buffer/modified buffer/overlap buffer/read buffer/unwatched collective/mismatch crash deadlock divergence exit hang imprecise-match leak/communicator leak/datatype leak/errhandler leak/file leak/group leak/info leak/keyval leak/memory leak/message leak/operator leak/request leak/session leak/window livelock pcontrol/unbalanced possible-livelock request/freed rma/race sanitizer/address sanitizer/leak sanitizer/thread sanitizer/undefined thread/collective thread/level thread/request truncation type/collective type/message unusual' ;;
    esac
    if [[ -n $option ]]; then
        [[ $current != = ]] || current=''
        [[ -z $list || $current != *,* ]] || before=${current%,*},
        mapfile -t COMPREPLY < <(compgen -P "$before" -W "$values" -- "${current#"$before"}")
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    fi
}
complete -o default -F _dampi_run dampi-run
