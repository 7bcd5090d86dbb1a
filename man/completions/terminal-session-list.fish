complete -c terminal-session-list -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-list -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-list -l session-id -d 'Only sessions with a block of this Codex session: its id, or how it begins' -r
complete -c terminal-session-list -l since -d 'Only sessions that changed since then: a time, a date, or 2h, 3d, 1w' -r
complete -c terminal-session-list -l limit -d 'At most N sessions' -r
complete -c terminal-session-list -l sort -d 'What comes first' -r -f -a "updated\t'What changed last'
created\t'What began last'
size\t'What is largest'"
complete -c terminal-session-list -l json -d 'Print one JSON object'
complete -c terminal-session-list -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-list -s V -l version -d 'Print version'
