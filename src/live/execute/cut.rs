//! What is left out of a content that is too long: its middle.

use serde::Serialize;

use super::content::Line;
use crate::live::place::Place;

/// Most characters of a content.
const MOST: usize = 10_000;
/// Characters at its beginning and at its end that stay where it has more.
const KEPT: usize = 4_000;

/// A part that is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Omitted {
    /// The block where it is.
    pub block_id: String,
    /// Its code points.
    pub characters: usize,
    /// Arguments of `terminal-session-blocks` that print just that.
    pub arguments: String,
}

/// The text of lines, and what of it is left out.
pub(super) fn text(lines: &[Line], place: &Place) -> (String, Vec<Omitted>) {
    let whole = lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
    let count = whole.chars().count();
    if count <= MOST {
        return (whole, Vec::new());
    }
    let head = head_end(&whole);
    let tail = tail_start(&whole, count);
    let bytes = whole.as_bytes();
    // Newlines beside the marks are no part of what is left out.
    let from = head + usize::from(bytes[head] == b'\n');
    let to = tail - usize::from(bytes[tail - 1] == b'\n');
    let omitted = omitted(lines, from, to, place);
    let mut text = whole[..head].to_owned();
    for part in &omitted {
        text.push_str(&format!(
            "\n[left out: {} characters; terminal-session-blocks {}]",
            part.characters, part.arguments
        ));
    }
    text.push('\n');
    text.push_str(&whole[tail..]);
    (text, omitted)
}

/// Where the beginning ends: at a line, where that keeps half of it.
fn head_end(text: &str) -> usize {
    let most = text.char_indices().nth(KEPT).map_or(text.len(), |(index, _)| index);
    if text.as_bytes().get(most) == Some(&b'\n') {
        return most;
    }
    text[..most].rfind('\n').filter(|&newline| newline >= most / 2).unwrap_or(most)
}

/// Where the end begins: at a line, where that keeps half of it.
fn tail_start(text: &str, count: usize) -> usize {
    let most = text.char_indices().nth(count - KEPT).map_or(text.len(), |(index, _)| index);
    if text.as_bytes()[most - 1] == b'\n' {
        return most;
    }
    let newline = text[most..].find('\n').filter(|&newline| newline <= (text.len() - most) / 2);
    newline.map_or(most, |newline| most + newline + 1)
}

/// A run of lines of one block.
struct Run<'a> {
    first: &'a Line,
    /// Code points of the first line that are not left out.
    skip: usize,
    last: u64,
    /// Code points, newlines between the lines too.
    chars: usize,
    /// Whether it ends inside of a line.
    is_partial: bool,
}

/// The bytes of the text from `from` to `to`, as runs of lines of blocks.
fn omitted(lines: &[Line], from: usize, to: usize, place: &Place) -> Vec<Omitted> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    let mut start = 0;
    for line in lines {
        let (begin, end) = (start, start + line.text.len());
        start = end + 1;
        // One that begins at the end, or that ends at the beginning, has no part in it unless it is
        // an empty one in the midst.
        if begin > to || end < from || (begin == to && end > to) || (end == from && begin < from) {
            continue;
        }
        let (cut_begin, cut_end) = (from.max(begin) - begin, to.min(end) - begin);
        let chars = line.text[cut_begin..cut_end].chars().count();
        let is_partial = cut_end < line.text.len();
        match runs.last_mut() {
            Some(run) if run.first.block_id == line.block_id && run.last + 1 == line.number => {
                run.last = line.number;
                run.chars += 1 + chars;
                run.is_partial = is_partial;
            }
            _ => runs.push(Run {
                first: line,
                skip: line.text[..cut_begin].chars().count(),
                last: line.number,
                chars,
                is_partial,
            }),
        }
    }
    runs.iter().map(|run| run.omitted(place)).collect()
}

impl Run<'_> {
    fn omitted(&self, place: &Place) -> Omitted {
        let Line { block_id, number, .. } = self.first;
        let skip = if self.skip > 0 { format!("+{}", self.skip) } else { String::new() };
        let selector = format!("{block_id}@{number}{skip}:{}", self.last);
        let chars = self.is_partial.then_some(self.chars as u64);
        Omitted {
            block_id: block_id.clone(),
            characters: self.chars,
            arguments: place.selected(&selector, chars),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: impl IntoIterator<Item = String>) -> Vec<Line> {
        let line = |(number, text)| Line { block_id: "b".to_owned(), number, text };
        (1..).zip(texts).map(line).collect()
    }

    fn cut(lines: &[Line]) -> (String, Vec<Omitted>) {
        text(lines, &Place::named("t"))
    }

    #[test]
    fn what_fits_stays_whole() {
        for width in [1, 3] {
            let text = "xé字"[..width].repeat(10_000 / width);
            assert_eq!(cut(&lines([text.clone()])), (text, Vec::new()));
        }
        assert_eq!(cut(&[]), (String::new(), Vec::new()));
    }

    #[test]
    fn the_middle_goes_at_lines() {
        let lines = lines((1..=1000).map(|number| format!("line {number:06}")));
        let (text, omitted) = cut(&lines);
        // 12 characters a line with its newline: 333 are 3,996, less the newline 3,995.
        let mark = "[left out: 4007 characters; terminal-session-blocks t b@334:667 --no-squeeze]";
        assert_eq!(omitted.len(), 1);
        let around: Vec<_> = text.lines().skip(332).take(3).collect();
        assert_eq!(around, ["line 000333", mark, "line 000668"]);
        assert_eq!(text.lines().count(), 333 + 1 + 333);
    }

    #[test]
    fn one_long_line_is_cut_inside() {
        let line: String = "é".repeat(12_345);
        let (text, omitted) = cut(&lines([line]));
        let (head, rest) = text.split_once('\n').unwrap();
        let (mark, tail) = rest.split_once('\n').unwrap();
        assert_eq!((head.chars().count(), tail.chars().count()), (4000, 4000));
        assert!(mark.contains("left out: 4345 characters"), "{mark}");
        assert_eq!(omitted[0].arguments, "t b@1+4000:1 --no-squeeze --max-chars 4345");
    }

    #[test]
    fn each_run_of_lines_is_named() {
        let mut lines = lines((1..=30).map(|_| "x".repeat(999)));
        // A prompt stood at lines 10 and 11, and the block changes at line 20.
        lines.retain(|line| ![10, 11].contains(&line.number));
        for line in lines.iter_mut().filter(|line| line.number >= 20) {
            line.block_id = "c".to_owned();
            line.number -= 19;
        }
        lines[5].text.clear();
        let (text, omitted) = cut(&lines);
        let names: Vec<_> = omitted.iter().map(|part| part.arguments.as_str()).collect();
        let want = ["t b@5:9 --no-squeeze", "t b@12:19 --no-squeeze", "t c@1:7 --no-squeeze"];
        assert_eq!(names, want);
        let characters: Vec<_> = omitted.iter().map(|part| part.characters).collect();
        assert_eq!(characters, [4 * 999 + 4, 8 * 999 + 7, 7 * 999 + 6]);
        assert_eq!(text.lines().filter(|line| line.starts_with('x')).count(), 8);
    }
}
