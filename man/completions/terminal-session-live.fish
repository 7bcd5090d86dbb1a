# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_terminal_session_live_global_optspecs
    string join \n codex-home= color= json h/help V/version
end

function __fish_terminal_session_live_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_terminal_session_live_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_terminal_session_live_using_subcommand
    set -l cmd (__fish_terminal_session_live_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -s V -l version -d 'Print version'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "open" -d 'Open a terminal and wait until it is ready'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "send" -d 'Type a command or other text, and print what comes of it'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "keys" -d 'Press keys by the names that tmux gives them'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "paste" -d 'Type text as one piece that the program does not take for keys'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "read" -d 'Print lines of the history, or the screen'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "wait" -d 'Wait without typing'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "signal" -d 'Signal what is in the foreground'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "resize" -d 'Change the size'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "freeze" -d 'Make a block of what was shown since the last one'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "restart" -d 'End what runs and start the same program in the same folder'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "close" -d 'End a terminal and everything that runs in it'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "list" -d 'List this agent\'s terminals'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "agent" -d 'Print a fresh secret for TERMINAL_SESSION_AGENT'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "attach" -d 'Join a terminal with your own'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "execute" -d 'Run a command, send input or press a key in a terminal that is known by a label'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "output" -d 'Print what is new of a task'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "kill" -d 'Interrupt a task'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "tasks" -d 'List this agent\'s tasks'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "exec" -d 'Run a command, and go on with it as a job if it takes longer'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "write" -d 'Type into a job, or nothing, and print what it printed since the last answer'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "jobs" -d 'List and end jobs'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "mcp" -d 'Serve terminals to an agent on stdin and stdout (Model Context Protocol)'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "host" -d 'Be the host of a terminal'
complete -c terminal-session-live -n "__fish_terminal_session_live_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l type -d 'What runs in it: shell, or command for the one behind --' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l name -d 'What to call it in lists; a label, which no call takes for an id' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l terminal-id -d 'Terminal to add blocks to [default: a new one]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l session-id -d 'Codex thread of the blocks [default: $CODEX_THREAD_ID, else a new UUID]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l cwd -d 'Folder to start in [default: this one]' -r -F
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l env -d 'Variable for the program; may be given several times' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l keep-env -d 'Variable to hand on although KEY, PASSWORD, SECRET or TOKEN is in its name' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l size -d 'Size in cells: 100x30, 100x, x30' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l shell -d 'Shell to run [default: $SHELL, else /bin/sh]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l idle-timeout -d 'Close it after so many seconds without any use; 0 for never' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l retain -d 'Most of what one block keeps beyond 10,000 rows, in bytes, KiB, MiB or GiB; older lines are dropped and counted' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l max-terminals -d 'Most terminals that this agent may have at a time; one more is refused' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l timeout-ms -d 'Longest wait in milliseconds; what was typed goes on after that' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l max-output-tokens -d 'Longest text of the answer in tokens of four bytes [default: 65536]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l keep-pager -d 'Leave PAGER and its like what they are; else they are `cat`, and LESS is FRX'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand open" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand send" -l timeout-ms -d 'Longest wait in milliseconds; what was typed goes on after that' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand send" -l max-output-tokens -d 'Longest text of the answer in tokens of four bytes [default: 65536]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand send" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand send" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand send" -l no-submit -d 'Add no Enter; with an empty text, only wait'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand send" -l background -d 'Answer at once with a task that waits'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand send" -l return -d 'Exit with the exit code of the command, with 124 where it is not known'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand send" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand send" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand keys" -s N -l repeat -d 'Press all of them so many times' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand keys" -l timeout-ms -d 'Longest wait in milliseconds; what was typed goes on after that' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand keys" -l max-output-tokens -d 'Longest text of the answer in tokens of four bytes [default: 65536]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand keys" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand keys" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand keys" -s l -l literal -d 'Type them as text, whatever they are called'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand keys" -s H -l hex -d 'They are bytes of two hexadecimal digits'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand keys" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand keys" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand paste" -l timeout-ms -d 'Longest wait in milliseconds; what was typed goes on after that' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand paste" -l max-output-tokens -d 'Longest text of the answer in tokens of four bytes [default: 65536]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand paste" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand paste" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand paste" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand paste" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand read" -l offset -d 'Newest lines to leave out, counted back from the end' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand read" -l count -d 'Most lines' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand read" -l from -d 'First line, counted from the first one ever as 1' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand read" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand read" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand read" -l screen -d 'The screen as it stands, with cursor, title and hash'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand read" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand read" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand wait" -l until -d 'For what: ready (a prompt, or a program that waits for input), exit (the end of its program), text=RE (in the history or on the screen, where a command that was typed stands too; ^ and $ are the ends of any line), screen-change=HASH (another screen than that of `read --screen`), quiet=MS (so many milliseconds without output)' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand wait" -l timeout-ms -d 'Longest wait in milliseconds; what was typed goes on after that' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand wait" -l max-output-tokens -d 'Longest text of the answer in tokens of four bytes [default: 65536]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand wait" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand wait" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand wait" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand wait" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand signal" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand signal" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand signal" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand signal" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand resize" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand resize" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand resize" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand resize" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand freeze" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand freeze" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand freeze" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand freeze" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand restart" -l timeout-ms -d 'Longest wait in milliseconds; what was typed goes on after that' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand restart" -l max-output-tokens -d 'Longest text of the answer in tokens of four bytes [default: 65536]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand restart" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand restart" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand restart" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand restart" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand close" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand close" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand close" -l operator -d 'Whoever of this user\'s agents opened it'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand close" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand close" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand list" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand list" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand list" -l operator -d 'Those of all agents of this user'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand list" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand agent" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand agent" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand agent" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand agent" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand attach" -l detach-key -d 'Keys to leave it with, one after the other: ^]d is Ctrl-] and d' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand attach" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand attach" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand attach" -l read-only -d 'Only look on: nothing is typed, and the terminal does not get the size of yours meanwhile'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand attach" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand attach" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand execute" -l terminal -d 'Label of the terminal, a bash that is opened when it is needed' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand execute" -l timeout -d 'Longest wait in seconds, at most 60; what runs goes on after that' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand execute" -l max-terminals -d 'Most terminals that this agent may have at a time' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand execute" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand execute" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand execute" -l input -d 'It is input for what runs'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand execute" -l no-enter -d 'Add no Enter: the text stands at the prompt then, or goes to what runs as it is'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand execute" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand execute" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand output" -l timeout-ms -d 'Longest wait in milliseconds; what was typed goes on after that' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand output" -l max-output-tokens -d 'Longest text of the answer in tokens of four bytes [default: 65536]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand output" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand output" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand output" -l wait -d 'Wait for its end'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand output" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand output" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand kill" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand kill" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand kill" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand kill" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand tasks" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand tasks" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand tasks" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand tasks" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l workdir -d 'Folder to run in [default: this one]' -r -F
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l yield-time-ms -d 'Longest wait in milliseconds, at most 30000 [default: 10000]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l max-output-tokens -d 'Longest text of the answer in tokens of four bytes [default: 4000]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l size -d 'Size of the terminal in cells: 100x30, 100x, x30' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l shell -d 'Shell that runs the command [default: $SHELL, else bash, else sh]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l env -d 'Variable for the command; may be given several times' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l keep-env -d 'Variable to hand on although KEY, PASSWORD, SECRET or TOKEN is in its name' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l retain -d 'Most of the output that is kept until it is read, in bytes, KiB, MiB or GiB; beyond that the middle of it is dropped and counted' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l max-jobs -d 'Most jobs that this agent may have at a time; one more is refused' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l max-output-tokens-cap -d 'Most tokens of an answer, whatever a call asks for' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l tty -d 'Run it in a terminal, or not at all [default: with pipes where there is no terminal]'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l no-tty -d 'Run it with pipes, not in a terminal'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand exec" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand write" -l chars -d 'What is typed, as it is; nothing to read on only' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand write" -l chars-file -d 'File with what is typed; - for stdin' -r -F
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand write" -l yield-time-ms -d 'Longest wait in milliseconds, at most 30000, and 300000 where nothing is typed [default: 250]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand write" -l max-output-tokens -d 'Longest text of the answer in tokens of four bytes [default: 4000]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand write" -l max-output-tokens-cap -d 'Most tokens of an answer, whatever a call asks for' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand write" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand write" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand write" -l eof -d 'End its input after that'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand write" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand write" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and not __fish_seen_subcommand_from list kill help" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and not __fish_seen_subcommand_from list kill help" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and not __fish_seen_subcommand_from list kill help" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and not __fish_seen_subcommand_from list kill help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and not __fish_seen_subcommand_from list kill help" -f -a "list" -d 'List this agent\'s jobs, those of the last hour too'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and not __fish_seen_subcommand_from list kill help" -f -a "kill" -d 'End a job and all that came of it; what it printed can still be read'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and not __fish_seen_subcommand_from list kill help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and __fish_seen_subcommand_from list" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and __fish_seen_subcommand_from list" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and __fish_seen_subcommand_from list" -l operator -d 'Those of all agents of this user, as TERMINAL/JOB'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and __fish_seen_subcommand_from list" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and __fish_seen_subcommand_from kill" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and __fish_seen_subcommand_from kill" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and __fish_seen_subcommand_from kill" -l operator -d 'Whoever of this user\'s agents has it; JOB is TERMINAL/JOB then. What nobody read of its output is in its block'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and __fish_seen_subcommand_from kill" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and __fish_seen_subcommand_from kill" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and __fish_seen_subcommand_from help" -f -a "list" -d 'List this agent\'s jobs, those of the last hour too'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and __fish_seen_subcommand_from help" -f -a "kill" -d 'End a job and all that came of it; what it printed can still be read'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand jobs; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand mcp" -l tools -d 'Tools to offer, with commas: terminal, exec, execute, inspect, or all [default: terminal,inspect]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand mcp" -l cwd -d 'Folder that terminals start in [default: this one]' -r -F
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand mcp" -l max-terminals -d 'Most terminals at a time; one more is refused' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand mcp" -l max-jobs -d 'Most jobs at a time; one more is refused' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand mcp" -l max-output-tokens-cap -d 'Most tokens of an answer, whatever a call asks for' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand mcp" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand mcp" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand mcp" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand mcp" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand host" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand host" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand host" -l json -d 'Print the answer as JSON'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand host" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "open" -d 'Open a terminal and wait until it is ready'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "send" -d 'Type a command or other text, and print what comes of it'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "keys" -d 'Press keys by the names that tmux gives them'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "paste" -d 'Type text as one piece that the program does not take for keys'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "read" -d 'Print lines of the history, or the screen'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "wait" -d 'Wait without typing'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "signal" -d 'Signal what is in the foreground'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "resize" -d 'Change the size'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "freeze" -d 'Make a block of what was shown since the last one'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "restart" -d 'End what runs and start the same program in the same folder'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "close" -d 'End a terminal and everything that runs in it'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "list" -d 'List this agent\'s terminals'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "agent" -d 'Print a fresh secret for TERMINAL_SESSION_AGENT'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "attach" -d 'Join a terminal with your own'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "execute" -d 'Run a command, send input or press a key in a terminal that is known by a label'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "output" -d 'Print what is new of a task'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "kill" -d 'Interrupt a task'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "tasks" -d 'List this agent\'s tasks'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "exec" -d 'Run a command, and go on with it as a job if it takes longer'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "write" -d 'Type into a job, or nothing, and print what it printed since the last answer'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "jobs" -d 'List and end jobs'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "mcp" -d 'Serve terminals to an agent on stdin and stdout (Model Context Protocol)'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "host" -d 'Be the host of a terminal'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and not __fish_seen_subcommand_from open send keys paste read wait signal resize freeze restart close list agent attach execute output kill tasks exec write jobs mcp host help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and __fish_seen_subcommand_from jobs" -f -a "list" -d 'List this agent\'s jobs, those of the last hour too'
complete -c terminal-session-live -n "__fish_terminal_session_live_using_subcommand help; and __fish_seen_subcommand_from jobs" -f -a "kill" -d 'End a job and all that came of it; what it printed can still be read'
