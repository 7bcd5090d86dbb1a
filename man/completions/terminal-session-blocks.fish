complete -c terminal-session-blocks -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-blocks -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-blocks -l line-range -d 'Lines of every block that names none of its own' -r
complete -c terminal-session-blocks -l head -d 'The first N lines of every block that names none of its own' -r
complete -c terminal-session-blocks -l tail -d 'The last N lines of every block that names none of its own' -r
complete -c terminal-session-blocks -l render -d 'How to print a frozen screen' -r -f -a "screen\t'The text that the terminal showed'
ansi\t'That text with its colours, and no other escape sequences'
html\t'A page, one file with all blocks, light and dark'
svg\t'A picture, one file with all blocks, light and dark'
raw\t'The stored bytes of one block, alone'"
complete -c terminal-session-blocks -l grep -d 'Print only lines that match a regular expression, and where they are' -r
complete -c terminal-session-blocks -s C -l context -d 'Also print N lines before and after each match' -r
complete -c terminal-session-blocks -s A -l after-context -d 'Also print N lines after each match' -r
complete -c terminal-session-blocks -s B -l before-context -d 'Also print N lines before each match' -r
complete -c terminal-session-blocks -l max-count -d 'At most N matching lines of each block' -r
complete -c terminal-session-blocks -l max-chars -d 'Cut each block\'s text, or with --grep each line, to N characters and say how to read the rest' -r
complete -c terminal-session-blocks -l omitted -d 'Only what the frozen terminal message left out of a block'
complete -c terminal-session-blocks -l all -d 'All blocks of the session'
complete -c terminal-session-blocks -l force -d 'Print raw bytes even to a terminal'
complete -c terminal-session-blocks -l no-pager -d 'Print to a terminal without a pager'
complete -c terminal-session-blocks -l no-squeeze -d 'Keep blank lines as they are'
complete -c terminal-session-blocks -l json -d 'Print one JSON object'
complete -c terminal-session-blocks -l all-sessions -d 'Search all sessions, newest first'
complete -c terminal-session-blocks -s i -l ignore-case -d 'Search without regard to case'
complete -c terminal-session-blocks -s F -l fixed-strings -d 'RE is the text to search, not a pattern'
complete -c terminal-session-blocks -l compat -d 'Print exactly what the Python helper prints'
complete -c terminal-session-blocks -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-blocks -s V -l version -d 'Print version'
