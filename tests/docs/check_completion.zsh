# check_completion.zsh FOLDER: sees what zsh's completion of dampi-run and dampi-report offers, in a shell of its own in a
# terminal of its own (zsh/zpty), for completion works nowhere else.
emulate -L zsh
set -u
zmodload zsh/zpty
folder=${1:A}
zpty shell zsh -f -i

# The shell prints the words that stand on its line: then all that it was given before is done.
answer() {
    local text= part
    zpty -w shell $1
    while zpty -r shell part; do
        text+=$part
        [[ $text == *$2* ]] && break
    done
    print -r -- $text
}

zpty -w shell "PS1= PS2=; fpath=($folder \$fpath); autoload -Uz compinit; compinit -D -u; setopt no_beep"
# Completed, the line is not executed: what is on it is kept for us.
zpty -w shell 'line-is() { print -r -- "<$BUFFER>"; BUFFER=; zle accept-line }; zle -N line-is; bindkey "^X" line-is'
answer 'print -r -- re''ady' ready > /dev/null

# expect WANTED TYPED: what the line is after Tab.
expect() {
    local got
    zpty -w -n shell $2$'\t\x18'
    local text= part
    while zpty -r shell part; do
        text+=$part
        [[ $text == *\<*\>* ]] && break
    done
    got=${${text##*\<}%%\>*}
    if [[ $got != $1 ]]; then
        print -ru2 -- "completing '$2' makes '$got', not '$1'"
        exit 1
    fi
}

expect 'dampi-run --replay ' 'dampi-run --repl'
expect 'dampi-run -n 3 --jobs ' 'dampi-run -n 3 --jo'
expect 'dampi-run --keep-output findings ' 'dampi-run --keep-output fi'
expect 'dampi-run --mpi native ' 'dampi-run --mpi nat'
expect 'dampi-run --engine central ' 'dampi-run --engine ce'
# Of a list the comma behind a word goes again with a blank.
expect 'dampi-run --expect leak/memory,' 'dampi-run --expect leak/mem'
expect 'dampi-run --fail-on new,portability,' 'dampi-run --fail-on new,portab'
expect 'dampi-run --explain livelock ' 'dampi-run --explain live'
expect 'dampi-report --code-quality ' 'dampi-report --code'
zpty -d shell
