//! What a client is told about the tools, for its model to read.

use super::Group;

const TERMINALS: &str = "\
Use a terminal only for work that needs one: state that stays between commands, programs that ask, \
processes that run for long. Close it with terminal_close when that work is done.
An answer that ends with [wait: inferred_idle] or [wait: timeout] proves no end; [wait: prompt], \
[exit code: N] and [session: exited ...] do. To wait on, send an empty text with submit false; to \
interrupt, terminal_signal SIGINT. Work of minutes goes with run_in_background and task_output.
";

const EXEC: &str = "\
exec_command answers with a job_id where a command goes on or has more to print; write_stdin with \
empty chars reads on, page by page, until [job_id: ...] is gone. Waiting in vain ends nothing; \
job_kill does. Start servers without &: such a command goes on as a job.
";

const EXECUTE: &str = "\
terminal_execute answers with status running where a command has not ended; poll it with an empty \
command, answer it with is_input, or interrupt it with C-c. Nothing is ended by a timeout. Another \
terminal_id is another terminal; what is done with one ends it with exit.
";

const CUT: &str = "\
Nothing that an answer leaves out is lost: [left out: ...; terminal-session-blocks T B@1:90 \
--no-squeeze] says what prints just that";

const WITH_INSPECT: &str = "\
: call terminal_session_blocks with terminal T, blocks [\"B@1:90\"] and no_squeeze true (and \
max_chars, where --max-chars is named).
";

const ALONE: &str = ", in any shell.\n";

const INSPECT: &str = "\
Terminals are recorded. terminal_session_list finds sessions, closed ones too, \
terminal_session_summary tells the flow of one, terminal_session_blocks prints any lines of any \
block.
";

/// The guidance for these tools; always the same for the same ones.
pub(super) fn instructions(groups: &[Group]) -> String {
    let has = |group| groups.contains(&group);
    let mut text = String::new();
    if has(Group::Terminal) {
        text.push_str(TERMINALS);
    }
    if has(Group::Exec) {
        text.push_str(EXEC);
    }
    if has(Group::Execute) {
        text.push_str(EXECUTE);
    }
    if groups.iter().any(|group| *group != Group::Inspect) {
        text.push_str(CUT);
        text.push_str(if has(Group::Inspect) { WITH_INSPECT } else { ALONE });
    }
    if has(Group::Inspect) {
        text.push_str(INSPECT);
    }
    text
}
