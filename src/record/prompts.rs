//! Where commands begin and end, by the marks of OSC 133.
//!
//! A shell's hook prints `A` before the prompt, `B` after it, `C` before the output of a command
//! and `D` with the exit code after it. Some print no `C`, some no `D`.

use super::percent;
use crate::screen::{Event, Screen};
use crate::snapshot;

/// What was seen since the last freeze.
#[derive(Default)]
pub(super) struct Prompts {
    /// Whether the shell says when output begins; if not, the end of a prompt has to do.
    knows_output: bool,
    /// Whether any mark was seen in the recording.
    pub(super) any: bool,
    part: Part,
    /// The working directory, known from the command before as well.
    cwd: Option<String>,
}

/// What a block says of its command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) text: Option<String>,
    pub(super) exit_code: Option<i64>,
    pub(super) cwd: Option<String>,
}

#[derive(Default)]
struct Part {
    prompts: usize,
    /// The text at the first `B`, if only the prompt was there.
    prompt: Option<String>,
    /// Whether nothing stood before the first prompt.
    starts_with_prompt: bool,
    has_prompt_end: bool,
    has_output: bool,
    command: Command,
}

impl Prompts {
    /// Takes an event; whether a command has ended before it.
    pub(super) fn take(&mut self, event: Event, screen: &Screen) -> Option<Command> {
        match event {
            Event::PromptMark(mark) => self.mark(&mark, screen),
            Event::WorkingDirectory(url) => {
                self.cwd = path_of(&url).filter(|path| path.len() <= MOST_PATH).or(self.cwd.take());
                None
            }
            _ => None,
        }
    }

    fn mark(&mut self, mark: &str, screen: &Screen) -> Option<Command> {
        self.any = true;
        let mut fields = mark.split(';');
        match fields.next()? {
            "A" => {
                let ended = self.end_of_command(screen, None);
                self.part.prompts += 1;
                if self.part.prompts == 1 {
                    self.part.starts_with_prompt = ended.is_some() || is_blank(screen);
                }
                return ended;
            }
            "B" => {
                self.part.has_prompt_end = true;
                if self.part.prompts <= 1 && self.part.prompt.is_none() && fits(screen) {
                    self.part.prompt = Some(text(screen));
                }
            }
            "C" => {
                self.knows_output = true;
                self.part.has_output = true;
                self.part.command.text =
                    fields.find_map(command_line).filter(|text| text.len() <= MOST_COMMAND);
                self.part.command.cwd.clone_from(&self.cwd);
            }
            "D" => {
                let code = fields.next().and_then(|code| code.parse().ok());
                return self.end_of_command(screen, code);
            }
            _ => {}
        }
        None
    }

    fn end_of_command(&mut self, screen: &Screen, exit_code: Option<i64>) -> Option<Command> {
        let has_run = self.part.has_output
            || (!self.knows_output && self.part.has_prompt_end && !self.is_only_prompt(screen));
        has_run.then(|| {
            let part = std::mem::take(&mut self.part);
            Command {
                exit_code,
                cwd: part.command.cwd.or_else(|| self.cwd.clone()),
                ..part.command
            }
        })
    }

    /// Whether the screen shows nothing but one prompt at which nothing was typed.
    pub(super) fn is_only_prompt(&self, screen: &Screen) -> bool {
        let part = &self.part;
        if part.has_output || part.prompts != 1 || !part.starts_with_prompt {
            return false;
        }
        match &part.prompt {
            Some(prompt) => fits(screen) && *prompt == text(screen),
            // The recording ends inside the prompt.
            None => !part.has_prompt_end,
        }
    }

    /// What is known of a command that the recording ends in.
    pub(super) fn last(&mut self) -> Command {
        let part = std::mem::take(&mut self.part);
        Command { cwd: part.command.cwd.or_else(|| self.cwd.clone()), ..part.command }
    }
}

fn text(screen: &Screen) -> String {
    snapshot::text(screen).trim().to_owned()
}

fn is_blank(screen: &Screen) -> bool {
    screen.is_blank() || fits(screen) && text(screen).is_empty()
}

/// Whether all rows are on the screen, as those of a lone prompt are. Reading the text of a long
/// scrollback at each mark would take time without end.
fn fits(screen: &Screen) -> bool {
    screen.normal().scrollback_len() == 0
}

/// Longer ones are no paths of a real system, and not repeated in every block.
const MOST_PATH: usize = 4096;
/// A longer command is left out.
const MOST_COMMAND: usize = 16 * 1024;

/// The command that some shells add to `C`, with `%` escapes.
fn command_line(field: &str) -> Option<String> {
    match field.split_once('=')? {
        ("cmdline_url", text) => percent::decoded(text),
        _ => None,
    }
}

/// The path of a `file:` URL.
fn path_of(url: &str) -> Option<String> {
    let rest = url.strip_prefix("file://")?;
    percent::decoded(rest.get(rest.find('/')?..)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_escapes() {
        assert_eq!(path_of("file://h/a%20b/%c3%a4").as_deref(), Some("/a b/ä"));
        assert_eq!(path_of("file:///x").as_deref(), Some("/x"));
        for bad in ["kitty-shell-cwd://h/x", "file://h", "file:///%2", "file:///%zz", "file:///%ff"]
        {
            assert_eq!(path_of(bad), None, "{bad}");
        }
        assert_eq!(command_line("cmdline_url=ls%20-l").as_deref(), Some("ls -l"));
        assert_eq!(command_line("aid=1"), None);
    }
}
