//! Matches as lines of text.

use std::io::Write;

use super::super::super::{Console, Controls, Failure, count, sanitize, sanitize_line};
use super::super::arguments::Config;
use super::{Event, Found, Run, Shown};
use crate::text::shell_quoted as quoted;

/// Prints what a search finds as it is found.
pub(super) fn print(
    run: &Run<'_>,
    config: &Config,
    console: &mut Console,
) -> Result<Found, Failure> {
    let mut found = Found::default();
    run(&mut |event| {
        match event {
            Event::Shown(shown) => {
                found.matches |= shown.match_at.is_some();
                writeln!(console.out(), "{}", line(&shown, config))?;
            }
            Event::Gap => writeln!(console.out(), "--")?,
            Event::Problem(problem) => {
                found.problems = true;
                console.error(&problem);
            }
        }
        Ok(())
    })?;
    Ok(found)
}

/// `terminal block@line: text`. Both names are as a shell takes them, so that the next call needs
/// no more than to copy them.
fn line(shown: &Shown<'_>, config: &Config) -> String {
    let terminal = quoted(shown.session.id.as_str());
    let place = quoted(&shown.place());
    let mark = if shown.match_at.is_some() { ':' } else { '-' };
    let mut line = sanitize_line(&format!("{terminal} {place}{mark} ")).into_owned();
    line.push_str(&sanitize(shown.window.shown, Controls::Shown));
    let cuts: Vec<_> = shown
        .cuts(config)
        .iter()
        .map(|cut| {
            let chars = count(cut.chars, "character");
            format!("{chars} {}: {}", cut.side, sanitize_line(&cut.command))
        })
        .collect();
    if !cuts.is_empty() {
        line.push_str(&format!(" [cut: {}]", cuts.join("; ")));
    }
    line
}
