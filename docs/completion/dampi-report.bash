# Completion of dampi-report's command line for bash. Made from scheduler/cli/report_options.hpp.
_dampi_report() {
    local options='--junit --sarif --code-quality --trace --html --json --index -q --quiet -v --verbose -h --help --version'
    local with_value=' --junit --sarif --code-quality --trace --html --json --index ' with_value_or_not='  '
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
        fi
    done
    if [[ -n $option ]]; then
        [[ $current != = ]] || current=''
        [[ -z $list || $current != *,* ]] || before=${current%,*},
        mapfile -t COMPREPLY < <(compgen -P "$before" -W "$values" -- "${current#"$before"}")
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
    fi
}
complete -o default -F _dampi_report dampi-report
