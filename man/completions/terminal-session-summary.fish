complete -c terminal-session-summary -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-summary -l color -d 'When to use colours on stderr' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-summary -l recent -d 'Only the last N blocks' -r
complete -c terminal-session-summary -l preview-chars -d 'Characters of a frozen screen to show' -r
complete -c terminal-session-summary -l details -d 'Add what helps to choose lines: counts, sizes, times'
complete -c terminal-session-summary -l compact -d 'Print the JSON on one line'
complete -c terminal-session-summary -l compat -d 'Print exactly what the Python helper prints'
complete -c terminal-session-summary -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-summary -s V -l version -d 'Print version'
