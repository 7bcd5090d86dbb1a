//! A list for people.

use std::io::Write;

use jiff::Timestamp;
use owo_colors::OwoColorize;

use super::super::when::relative;
use super::super::{Console, Failure, sanitize_line};
use crate::artifact::BlockKind;
use crate::inspect::{BlockCounts, First, Listing, SessionRow, Status};
use crate::text;

/// Columns of the places whose width is not known before the rows are read.
const UPDATED: usize = 10;
const SIZE: usize = 9;
const BLOCKS: usize = 15;
const CODEX: usize = 36;
/// Characters of a first command or line.
const FIRST_CHARS: usize = 60;

/// What was printed.
pub(super) struct Printed {
    pub(super) broken: usize,
}

/// Prints a line for each session under a line of headings; nothing where there is none.
pub(super) fn print(
    listing: &Listing<'_>,
    now: Timestamp,
    console: &mut Console,
) -> Result<Printed, Failure> {
    let mut printed = Printed { broken: 0 };
    if listing.ids().is_empty() {
        return Ok(printed);
    }
    let shown = |id: &str| sanitize_line(id).chars().count();
    let ids = listing.ids().iter().map(|id| shown(id.as_str()));
    let width = ids.max().unwrap_or(0).max("TERMINAL".len());
    let has_color = console.out_has_color();
    let heading = format!(
        "{:<width$}  {:<UPDATED$}  {:>SIZE$}  {:<BLOCKS$}  {:<CODEX$}  FIRST",
        "TERMINAL", "UPDATED", "SIZE", "BLOCKS", "CODEX"
    );
    let heading = if has_color { heading.bold().to_string() } else { heading };
    writeln!(console.out(), "{heading}")?;
    for row in listing.rows() {
        printed.broken += usize::from(matches!(row.status, Status::Broken(_)));
        writeln!(console.out(), "{}", line(&row, width, now, has_color))?;
    }
    Ok(printed)
}

fn line(row: &SessionRow, width: usize, now: Timestamp, has_color: bool) -> String {
    let updated = row.updated.map_or_else(|| "-".to_owned(), |time| relative(time, now));
    let (id, size) = (sanitize_line(row.id.as_str()), size(row.bytes));
    let start = format!("{id:<width$}  {updated:<UPDATED$}  {size:>SIZE$}  ");
    let rest = match &row.status {
        Status::Sound => {
            let blocks = blocks(&row.blocks, row.has_unfrozen);
            let codex = sanitize_line(row.codex_session.as_deref().unwrap_or("-"));
            format!("{blocks:<BLOCKS$}  {codex:<CODEX$}  {}", first(row.first.as_ref()))
        }
        Status::Recording => "recording: nothing is frozen yet".to_owned(),
        Status::Died => {
            "its recorder died; terminal-session-record recover makes a block".to_owned()
        }
        Status::Broken(reason) => {
            let word = if has_color { "broken".red().to_string() } else { "broken".to_owned() };
            format!("{word}: {}", sanitize_line(reason))
        }
    };
    (start + &rest).trim_end().to_owned()
}

/// `4s 1p +live`.
fn blocks(counts: &BlockCounts, has_unfrozen: bool) -> String {
    let count = |letter: char| {
        let kinds = counts.kinds.iter().filter(|(kind, _)| self::letter(kind) == letter);
        kinds.map(|(_, count)| count).sum::<usize>()
    };
    let mut parts: Vec<_> = ['s', 'p', 'q', 'a', 'o']
        .into_iter()
        .map(|letter| (count(letter), letter))
        .filter(|(count, _)| *count > 0)
        .map(|(count, letter)| format!("{count}{letter}"))
        .collect();
    if has_unfrozen {
        parts.push("+live".to_owned());
    }
    if parts.is_empty() { "-".to_owned() } else { parts.join(" ") }
}

fn letter(kind: &BlockKind) -> char {
    match kind {
        BlockKind::Snapshot => 's',
        BlockKind::Plan => 'p',
        BlockKind::NeedInput => 'q',
        BlockKind::Complete => 'a',
        BlockKind::Other(_) => 'o',
    }
}

fn first(first: Option<&First>) -> String {
    let shown = match first {
        Some(First::Command(command)) => format!("$ {command}"),
        Some(First::Line(line)) => line.clone(),
        None => return String::new(),
    };
    text::clipped(&sanitize_line(&shown), FIRST_CHARS).into_owned()
}

/// `999 B`, `1.0 KiB`: never more than 9 characters.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64;
    let mut unit = "B";
    for next in UNITS {
        value /= 1024.0;
        unit = next;
        // 999.95 would be written with five digits.
        if value < 999.95 {
            break;
        }
    }
    format!("{value:.1} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        for (bytes, want) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 KiB"),
            (4096, "4.0 KiB"),
            (1024 * 1000 - 1, "1.0 MiB"),
            (5 << 30, "5.0 GiB"),
            (u64::MAX, "16.0 EiB"),
        ] {
            assert_eq!(size(bytes), want);
            assert!(size(bytes).len() <= SIZE);
        }
    }
}
