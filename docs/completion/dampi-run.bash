# Completion of dampi-run's command line for bash. Made from scheduler/cli/options.def.
_dampi_run() {
    local options='-n --env --launcher --hosts --hostfile --mpi --no-prepare --fresh-dir -j --jobs --workers --worker-wait --worker-patience --suite --resume --replay --max-interleavings --time-limit --hang-limit --livelock-limit --stop-on-first --clock --engine --snapshots --merge-states --explore-polls --buffering --piggyback --order --seed --sample --minimize --explain-order --virtual-time --real-time --no-message-leaks --warn --check-buffers --scale-bounds --exit-ok --wrapper --mixing-bound --mixing-unit --loop-bound --explore --skip --ignore-brackets -o --output --keep-output --junit --sarif --code-quality --trace --baseline --suppressions --gen-suppressions --fail-on --expect --incomplete-ok --corpus --corpus-add --cache --cache-input --open --progress --show-output -v --verbose -q --quiet --explain -h --help --version'
    local with_value=' -np -n --env --launcher --hosts --hostfile --mpi -j --jobs --workers --worker-wait --worker-patience --suite --resume --replay --max-interleavings --time-limit --hang-limit --livelock-limit --clock --engine --snapshots --merge-states --explore-polls --buffering --piggyback --order --seed --sample --warn --scale-bounds --exit-ok --wrapper --mixing-bound --mixing-unit --loop-bound --explore --skip -o --output --keep-output --junit --sarif --code-quality --trace --baseline --suppressions --fail-on --expect --corpus --cache --cache-input --progress '
    local current=${COMP_WORDS[COMP_CWORD]} i option='' values=''
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        option=''
        if [[ $with_value == *" ${COMP_WORDS[i]} "* ]]; then
            option=${COMP_WORDS[i]}
            [[ ${COMP_WORDS[i + 1]} != = ]] || ((i++))
            ((++i < COMP_CWORD)) || break
            option=''
        elif [[ ${COMP_WORDS[i]} != -?* || ${COMP_WORDS[i]} == -- ]]; then
            return  # what follows is the program's
        fi
    done
    case $option in
        --mpi) values='auto native' ;;
        --workers) values='ssh:FILE slurm:N' ;;
        --keep-output) values='all findings' ;;
    esac
    if [[ -n $option ]]; then
        [[ $current != = ]] || current=''
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    fi
}
complete -o default -F _dampi_run dampi-run
