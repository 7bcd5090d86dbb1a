# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_terminal_session_check_global_optspecs
    string join \n h/help V/version
end

function __fish_terminal_session_check_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_terminal_session_check_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_terminal_session_check_using_subcommand
    set -l cmd (__fish_terminal_session_check_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c terminal-session-check -n "__fish_terminal_session_check_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-check -n "__fish_terminal_session_check_needs_command" -s V -l version -d 'Print version'
complete -c terminal-session-check -n "__fish_terminal_session_check_needs_command" -f -a "artifacts" -d 'Check that sessions keep every rule of their format'
complete -c terminal-session-check -n "__fish_terminal_session_check_needs_command" -f -a "golden" -d 'Compare a session with files that are checked in'
complete -c terminal-session-check -n "__fish_terminal_session_check_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand artifacts" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand artifacts" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand artifacts" -l format -d 'How to print what was found' -r -f -a "human\t'Lines for people'
json\t'One object'
github\t'Annotations of a GitHub workflow'
junit\t'A test report in XML'"
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand artifacts" -l allow -d 'Findings with this code are only counted; may be given more than once' -r -f -a "manifest-missing\t''
manifest-file\t''
manifest-json\t''
manifest-shape\t''
manifest-layout\t''
terminal-id\t''
time\t''
time-order\t''
key-missing\t''
key-type\t''
key-empty\t''
key-misplaced\t''
enum-value\t''
extra-value\t''
block-id-form\t''
block-id-repeated\t''
sequence\t''
sequence-repeated\t''
block-order\t''
message-key-repeated\t''
step-repeated\t''
step-unknown\t''
rejection-half\t''
snapshot-path\t''
snapshot-outside\t''
snapshot-missing\t''
snapshot-file\t''
snapshot-utf8\t''
snapshot-length\t''
snapshot-size\t''
snapshot-sequence\t''
snapshot-replay\t''
snapshot-round-trip\t''
orphan\t''
journal-left\t''
temporary-left\t''
unexpected-file\t''
permissions\t''"
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand artifacts" -l all -d 'All sessions; that there are none is an error'
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand artifacts" -l deny-warnings -d 'Warnings count'
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand artifacts" -l list-codes -d 'Print the codes, their severities and what they mean'
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand artifacts" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand golden" -l codex-home -d 'Codex home folder [default: $CODEX_HOME, else ~/.codex]' -r
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand golden" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; also where CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand golden" -l filter -d 'Replace what matches RE before anything is compared; may be given more than once' -r
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand golden" -l ignore -d 'What becomes a placeholder: a list of these, or none' -r -f -a "timestamps\t'Times of the manifest'
ids\t'Ids of terminal, blocks, Codex sessions and messages'
paths\t'The codex home and your home folder'
none\t'Nothing'"
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand golden" -l must-contain -d 'The text of a block must match RE; may be given more than once' -r
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand golden" -l must-not-contain -d 'No block\'s text may match RE; may be given more than once' -r
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand golden" -l update -d 'Make the golden copy what the session is now, and say what changed'
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand golden" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand help; and not __fish_seen_subcommand_from artifacts golden help" -f -a "artifacts" -d 'Check that sessions keep every rule of their format'
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand help; and not __fish_seen_subcommand_from artifacts golden help" -f -a "golden" -d 'Compare a session with files that are checked in'
complete -c terminal-session-check -n "__fish_terminal_session_check_using_subcommand help; and not __fish_seen_subcommand_from artifacts golden help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
