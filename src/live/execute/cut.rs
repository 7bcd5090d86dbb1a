//! What is left out of a content that is too long: its middle.

use serde::Serialize;

use super::content::{Content, Line, LinePlace};
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

/// The text of lines, and what of it is left out. It is gone through line by line and more than once,
/// since it may be as large as memory.
pub(super) fn text(content: &Content, place: &Place) -> (String, Vec<Omitted>) {
    let count = chars(content).map(|(_, range)| range.end).last().unwrap_or(0);
    if count <= MOST {
        return (slice(content, 0, count), Vec::new());
    }
    let mut head = slice(content, 0, KEPT + 1);
    head.truncate(head_end(&head));
    let mut tail = slice(content, count - KEPT - 1, count);
    tail.drain(..tail_start(&tail));
    // Newlines beside the marks are no part of what is left out.
    let from = head.chars().count();
    let from = from + usize::from(slice(content, from, from + 1) == "\n");
    let to = count - tail.chars().count();
    let to = to - usize::from(slice(content, to - 1, to) == "\n");
    let mut text = head;
    let mut omitted = Vec::new();
    for middle in middles(content, from, to) {
        text.push('\n');
        match middle {
            Middle::Said(said) => text.push_str(said),
            Middle::Run(run) => {
                let part = run.omitted(place);
                text.push_str(&format!(
                    "[left out: {} characters; terminal-session-blocks {}]",
                    part.characters, part.arguments
                ));
                omitted.push(part);
            }
        }
    }
    text.push('\n');
    text.push_str(&tail);
    (text, omitted)
}

/// Each line with the code points before it and up to its end; a newline is between two.
fn chars(content: &Content) -> impl Iterator<Item = (Line<'_>, std::ops::Range<usize>)> {
    let mut next = 0;
    content.lines().map(move |line| {
        let begin = next;
        let end = begin + line.text.chars().count();
        next = end + 1;
        (line, begin..end)
    })
}

/// The text from one code point up to another one.
fn slice(content: &Content, from: usize, to: usize) -> String {
    let mut text = String::new();
    let is_before = |(_, range): &(Line<'_>, std::ops::Range<usize>)| range.start <= to;
    for (line, range) in chars(content).take_while(is_before).filter(|(_, range)| range.end >= from)
    {
        // The newline before it.
        if range.start > from && range.start <= to {
            text.push('\n');
        }
        text.push_str(part(line.text, from.saturating_sub(range.start), to - range.start));
    }
    text
}

/// The part of a text from one code point up to another one.
fn part(text: &str, from: usize, to: usize) -> &str {
    let start = byte(text, from);
    &text[start..start + byte(&text[start..], to.saturating_sub(from))]
}

fn byte(text: &str, chars: usize) -> usize {
    text.char_indices().nth(chars).map_or(text.len(), |(index, _)| index)
}

/// Where the beginning ends, in a text of one character more than it may have: at a line, where that
/// keeps half of it.
fn head_end(text: &str) -> usize {
    let most = byte(text, KEPT);
    if text.as_bytes().get(most) == Some(&b'\n') {
        return most;
    }
    text[..most].rfind('\n').filter(|&newline| newline >= most / 2).unwrap_or(most)
}

/// Where the end begins, in a text of one character more than it may have: at a line, where that
/// keeps half of it.
fn tail_start(text: &str) -> usize {
    let most = byte(text, 1);
    if text.starts_with('\n') {
        return most;
    }
    let newline = text[most..].find('\n').filter(|&newline| newline <= (text.len() - most) / 2);
    newline.map_or(most, |newline| most + newline + 1)
}

/// A part of what is not shown.
enum Middle<'a> {
    Run(Run<'a>),
    /// It is no output, and is said in its place.
    Said(&'a str),
}

/// A run of lines of one block.
struct Run<'a> {
    block_id: &'a str,
    first: u64,
    /// Code points of the first line that are not left out.
    skip: usize,
    last: u64,
    /// Code points, newlines between the lines too.
    chars: usize,
    /// Whether it ends inside of a line.
    is_partial: bool,
}

/// The text between two code points, as runs of lines of blocks.
fn middles(content: &Content, from: usize, to: usize) -> Vec<Middle<'_>> {
    let mut middles: Vec<Middle<'_>> = Vec::new();
    for (line, std::ops::Range { start: begin, end }) in chars(content) {
        // One that begins at the end, or that ends at the beginning, has no part in it unless it is
        // an empty one in the midst.
        if begin > to || end < from || (begin == to && end > to) || (end == from && begin < from) {
            continue;
        }
        let (cut_begin, cut_end) = (from.max(begin) - begin, to.min(end) - begin);
        let chars = cut_end - cut_begin;
        let Some(LinePlace { block_id, number, skip, is_end }) = line.place else {
            middles.push(Middle::Said(line.text));
            continue;
        };
        let is_partial = cut_end < end - begin || !is_end;
        let skip = skip + cut_begin;
        match middles.last_mut() {
            Some(Middle::Run(run)) if run.is_before(block_id, number, skip) => {
                run.last = number;
                run.chars += 1 + chars;
                run.is_partial = is_partial;
            }
            _ => {
                let run = Run { block_id, first: number, skip, last: number, chars, is_partial };
                middles.push(Middle::Run(run));
            }
        }
    }
    middles
}

impl Run<'_> {
    /// Whether a line follows on it.
    fn is_before(&self, block_id: &str, number: u64, skip: usize) -> bool {
        let follows = self.block_id == block_id && self.last + 1 == number;
        follows && skip == 0 && !self.is_partial
    }

    fn omitted(&self, place: &Place) -> Omitted {
        let Self { block_id, first, last, .. } = self;
        let skip = if self.skip > 0 { format!("+{}", self.skip) } else { String::new() };
        let selector = format!("{block_id}@{first}{skip}:{last}");
        let chars = self.is_partial.then_some(self.chars as u64);
        Omitted {
            block_id: (*block_id).to_owned(),
            characters: self.chars,
            arguments: place.selected(&selector, chars),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: impl IntoIterator<Item = String>) -> Content {
        let texts: Vec<_> = texts.into_iter().collect();
        Content::of_blocks(&[("b", 1, texts.join("\n"))])
    }

    fn cut(content: &Content) -> (String, Vec<Omitted>) {
        text(content, &Place::named("t"))
    }

    #[test]
    fn what_fits_stays_whole() {
        for width in [1, 3] {
            let text = "xé字"[..width].repeat(10_000 / width);
            assert_eq!(cut(&lines([text.clone()])), (text, Vec::new()));
        }
        assert_eq!(cut(&Content::default()), (String::new(), Vec::new()));
        assert_eq!(cut(&lines(["", "a", "", ""].map(str::to_owned))).0, "\na\n\n");
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
        let xs = |count: usize| vec!["x".repeat(999); count].join("\n");
        // A prompt stood at lines 10 and 11, and the block changes at line 20.
        let sixth = format!("{}\n\n{}", xs(5), xs(3));
        let (mut content, rest) = (
            Content::of_blocks(&[("b", 1, sixth), ("b", 12, xs(8))]),
            Content::of_blocks(&[("c", 1, xs(11))]),
        );
        content.say("[said]");
        content.and(rest);
        let (text, omitted) = cut(&content);
        let names: Vec<_> = omitted.iter().map(|part| part.arguments.as_str()).collect();
        let want = ["t b@5:9 --no-squeeze", "t b@12:19 --no-squeeze", "t c@1:7 --no-squeeze"];
        assert_eq!(names, want);
        let characters: Vec<_> = omitted.iter().map(|part| part.characters).collect();
        assert_eq!(characters, [4 * 999 + 4, 8 * 999 + 7, 7 * 999 + 6]);
        assert_eq!(text.lines().filter(|line| line.starts_with('x')).count(), 8);
        let said = text.lines().position(|line| line == "[said]").unwrap();
        assert!(text.lines().nth(said + 1).unwrap().contains("t c@1:7"), "{text}");
    }
}
