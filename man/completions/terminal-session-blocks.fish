complete -c terminal-session-blocks -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-blocks -l color -d 'When to use colours on stderr' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-blocks -l line-range -d 'Lines of every block that names none of its own' -r
complete -c terminal-session-blocks -l head -d 'The first N lines of every block that names none of its own' -r
complete -c terminal-session-blocks -l tail -d 'The last N lines of every block that names none of its own' -r
complete -c terminal-session-blocks -l render -d 'How to print a frozen screen' -r -f -a "screen\t'The text that the terminal showed'
raw\t'The stored bytes of one block, alone'"
complete -c terminal-session-blocks -l max-chars -d 'Cut each block\'s text to N characters and say how to read the rest' -r
complete -c terminal-session-blocks -l omitted -d 'Only what the frozen terminal message left out of a block'
complete -c terminal-session-blocks -l all -d 'All blocks of the session'
complete -c terminal-session-blocks -l force -d 'Print raw bytes even to a terminal'
complete -c terminal-session-blocks -l no-squeeze -d 'Keep blank lines as they are'
complete -c terminal-session-blocks -l json -d 'Print one JSON object'
complete -c terminal-session-blocks -l compat -d 'Print exactly what the Python helper prints'
complete -c terminal-session-blocks -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-blocks -s V -l version -d 'Print version'
