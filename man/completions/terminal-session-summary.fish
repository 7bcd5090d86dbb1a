complete -c terminal-session-summary -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-summary -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-summary -l type -d 'Only blocks of this type; repeatable, or several with commas' -r
complete -c terminal-session-summary -l after -d 'Only blocks that come after this one: an id, a position, `last`, or a prefix of an id' -r
complete -c terminal-session-summary -l before -d 'Only blocks that come before this one' -r
complete -c terminal-session-summary -l max-chars -d 'Print at most N characters of JSON and say what was left out' -r
complete -c terminal-session-summary -l recent -d 'Only the last N of those blocks' -r
complete -c terminal-session-summary -l preview-chars -d 'Characters of a frozen screen to show' -r
complete -c terminal-session-summary -l details -d 'Add what helps to choose lines: counts, sizes, times'
complete -c terminal-session-summary -l compact -d 'Print the JSON on one line'
complete -c terminal-session-summary -l human -d 'Print a view for people in place of JSON'
complete -c terminal-session-summary -l no-pager -d 'Print to a terminal without a pager'
complete -c terminal-session-summary -l compat -d 'Print exactly what the Python helper prints'
complete -c terminal-session-summary -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-summary -s V -l version -d 'Print version'
