//! Operating system commands.

use super::events::Event;
use super::style::Attributes;
use super::terminal::Terminal;

impl Terminal {
    /// Does what `OSC` with this data asks for.
    pub(super) fn osc(&mut self, data: &str) {
        let (code, rest) = data.split_once(';').unwrap_or((data, ""));
        let Ok(code) = code.parse::<u32>() else {
            return;
        };
        match code {
            0 | 2 => {
                self.title.clear();
                self.title.push_str(rest);
                self.events.push(rest, Event::Title);
            }
            4 => self.report_palette(rest),
            7 => self.events.push(rest, Event::WorkingDirectory),
            8 => self.link(rest),
            10..=12 => self.report_colors(code, rest),
            133 => self.events.push(rest, Event::PromptMark),
            _ => self.events.push(rest, |data| Event::Osc { code, data }),
        }
    }

    /// OSC 8: what follows belongs to a link, or no longer does.
    fn link(&mut self, data: &str) {
        let Some((_, url)) = data.split_once(';') else {
            return;
        };
        let link = if url.is_empty() { Attributes::default() } else { Attributes::LINK };
        self.extend_pen(Attributes::LINK, link);
    }
}
