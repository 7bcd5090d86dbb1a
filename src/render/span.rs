//! Runs of like cells.

use crate::screen::{Attributes, Color, RowRef, Style};

/// Cells side by side that look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// The column of the first, from 0.
    pub(super) column: usize,
    /// How many columns they take.
    pub(super) columns: usize,
    pub(super) style: Style,
    pub(super) shape: Shape,
    /// What they show; null cells as spaces.
    pub(super) text: String,
}

/// What the characters of a span are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// ASCII, a column each in any fixed-width font.
    Plain,
    /// One character with its marks, which a font may draw in any width.
    Glyph,
}

/// The spans of a row up to the last cell that was written, which is what the text of the row has;
/// with `to_end` also of cells behind it that have a background or a line.
pub(super) fn spans(row: RowRef<'_>, to_end: bool) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let (mut kept, mut text_end) = (0, 0);
    let mut columns = row.contents().enumerate();
    let mut end = 0;
    while let Some((column, content)) = columns.next() {
        let mut text = String::new();
        content.push_text(&mut text);
        let style = content.style();
        if content.is_null() {
            text.push(' ');
        }
        let is_plain = matches!(text.as_bytes(), [b' '..=b'~']);
        let shape = if is_plain { Shape::Plain } else { Shape::Glyph };
        // A mark without a base has a cell of its own.
        let width = content.width().max(1);
        // The second half of a wide character.
        for _ in 1..width {
            columns.next();
        }
        match spans.last_mut().filter(|last| last.joins(style, shape)) {
            Some(last) => {
                last.text.push_str(&text);
                last.columns += width;
            }
            None => spans.push(Span { column, columns: width, style, shape, text }),
        }
        end = column + width;
        if !content.is_null() {
            // Of a mark without a base at the end of a row the text has only what is before it.
            text_end = if content.width() > 0 { end } else { column };
            kept = text_end;
        }
        if to_end && is_filled(style) {
            kept = end;
        }
    }
    cut(&mut spans, kept);
    // Of such a mark the colour of its cell is shown.
    for mark in spans.iter_mut().filter(|span| span.column >= text_end) {
        mark.shape = Shape::Plain;
        mark.text = " ".repeat(mark.columns);
    }
    let fill = row.rest().style();
    if to_end && is_filled(fill) && row.len() > end {
        let columns = row.len() - end;
        let text = " ".repeat(columns);
        spans.push(Span { column: end, columns, style: fill, shape: Shape::Plain, text });
    }
    spans
}

impl Span {
    fn joins(&self, style: Style, shape: Shape) -> bool {
        self.style == style && self.shape == Shape::Plain && shape == Shape::Plain
    }
}

/// Takes away what is behind a column.
fn cut(spans: &mut Vec<Span>, end: usize) {
    while spans.last().is_some_and(|last| last.column >= end) {
        spans.pop();
    }
    if let Some(last) = spans.last_mut().filter(|last| last.shape == Shape::Plain) {
        last.columns = last.columns.min(end - last.column);
        last.text.truncate(last.columns);
    }
}

/// Whether a blank in this style can be seen.
fn is_filled(style: Style) -> bool {
    let seen = [Attributes::INVERSE, Attributes::STRIKE, Attributes::OVERLINE];
    style.background != Color::DEFAULT
        || style.attributes.is_underlined()
        || seen.iter().any(|seen| style.attributes.contains(*seen))
}
