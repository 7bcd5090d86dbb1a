# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_terminal_session_record_global_optspecs
    string join \n h/help V/version
end

function __fish_terminal_session_record_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_terminal_session_record_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_terminal_session_record_using_subcommand
    set -l cmd (__fish_terminal_session_record_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c terminal-session-record -n "__fish_terminal_session_record_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-record -n "__fish_terminal_session_record_needs_command" -s V -l version -d 'Print version'
complete -c terminal-session-record -n "__fish_terminal_session_record_needs_command" -f -a "run" -d 'Record a shell or a program while it runs'
complete -c terminal-session-record -n "__fish_terminal_session_record_needs_command" -f -a "freeze" -d 'Make a block of a running recording now'
complete -c terminal-session-record -n "__fish_terminal_session_record_needs_command" -f -a "import" -d 'Import a recording: asciicast, raw bytes, or a typescript'
complete -c terminal-session-record -n "__fish_terminal_session_record_needs_command" -f -a "recover" -d 'Turn what a killed recorder had not frozen yet into blocks'
complete -c terminal-session-record -n "__fish_terminal_session_record_needs_command" -f -a "export" -d 'Write a session as one HTML page or asciicast'
complete -c terminal-session-record -n "__fish_terminal_session_record_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l terminal-id -d 'Terminal to add blocks to [default: a new one]' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l session-id -d 'Codex thread of the blocks [default: $CODEX_THREAD_ID, else a new UUID]' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l cwd -d 'Folder that the program starts in' -r -F
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l env -d 'Variable for the program; may be given again' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l size -d 'Size of the terminal: COLSxROWS, COLSx or xROWS, such as 80x24, 132x or x50 [default for what is not named: that of this terminal, else of 80x24]' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l scrollback -d 'Rows kept above the screen: a number, or unlimited' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l freeze -d 'When to make a block, besides the one at the end; may be given again' -r -f -a "end\t'Nowhere else'
command\t'At the end of each command of bash, fish or zsh'
manual\t'When the --hot-key is typed'
every=\t'Every so many seconds, such as every=60'"
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l hot-key -d 'Keys that make a block with --freeze manual, such as ^]s; or none' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l journal-limit -d 'Most bytes of unfrozen output to keep on disk, at least 64KiB; with K, M or G, or KiB, MiB or GiB, that many times 1024 bytes' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l cast -d 'Write the whole recording to an asciicast too' -r -F
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l cast-format -d 'Version of the asciicast' -r -f -a "v2\t'For older players'
v3\t'With the program\'s exit status'"
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l title -d 'Title of the asciicast' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l idle-time-limit -d 'Have players of the asciicast cut pauses to this many seconds; recorded times stay' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l append -d 'Go on in an asciicast that exists'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l overwrite -d 'Replace a file that exists'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l capture-input -d 'Record what is typed in the asciicast too, but for what is typed where lines are not shown'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l headless -d 'No terminal to look on: a fixed size, and queries are answered here [default: where stdin or stdout is no terminal]'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l return -d 'Exit with the program\'s status'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l force -d 'Record inside of another recording'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -s q -l quiet -d 'Nothing on stderr but errors'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -l json -d 'Print one JSON object at the end'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand freeze" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand freeze" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand freeze" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand import" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand import" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand import" -l format -d 'Kind of recording' -r -f -a "auto\t'By name and start of the file'
asciicast\t'Of version 1, 2 or 3'
raw\t'The bytes that went to a terminal'
typescript\t'Of util-linux script'"
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand import" -l size -d 'Size of the terminal: COLSxROWS, COLSx or xROWS, such as 80x24, 132x or x50 [default for what is not named: the recording\'s, else that of 80x24]' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand import" -l resize-file -d 'Changes of size in raw bytes: lines OFFSET COLS ROWS' -r -F
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand import" -l timing -d 'Timing file of a typescript' -r -F
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand import" -l terminal-id -d 'Terminal to add blocks to [default: a new one]' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand import" -l session-id -d 'Codex thread of the blocks [default: $CODEX_THREAD_ID, else a new UUID]' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand import" -l freeze -d 'Where blocks end, besides the end of the recording' -r -f -a "end\t'Nowhere else'
markers\t'At each marker of an asciicast'
prompts\t'At the end of each command, where OSC 133 marks the prompts'"
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand import" -l scrollback -d 'Rows kept above the screen' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand import" -s q -l quiet -d 'No progress and no notes on stderr'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand import" -l json -d 'Print one JSON object'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand recover" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand recover" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand recover" -l all -d 'The journals of all terminals'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand recover" -s q -l quiet -d 'No notes on stderr'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand recover" -l json -d 'Print one JSON object'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand recover" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand export" -s o -l output -d 'File to write [default: stdout]' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand export" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand export" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand export" -l html -d 'An HTML page: one file that loads nothing, light and dark (the default)'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand export" -l cast -d 'An asciicast of version 3'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand export" -l overwrite -d 'Replace FILE where it exists'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand help; and not __fish_seen_subcommand_from run freeze import recover export help" -f -a "run" -d 'Record a shell or a program while it runs'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand help; and not __fish_seen_subcommand_from run freeze import recover export help" -f -a "freeze" -d 'Make a block of a running recording now'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand help; and not __fish_seen_subcommand_from run freeze import recover export help" -f -a "import" -d 'Import a recording: asciicast, raw bytes, or a typescript'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand help; and not __fish_seen_subcommand_from run freeze import recover export help" -f -a "recover" -d 'Turn what a killed recorder had not frozen yet into blocks'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand help; and not __fish_seen_subcommand_from run freeze import recover export help" -f -a "export" -d 'Write a session as one HTML page or asciicast'
complete -c terminal-session-record -n "__fish_terminal_session_record_using_subcommand help; and not __fish_seen_subcommand_from run freeze import recover export help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
