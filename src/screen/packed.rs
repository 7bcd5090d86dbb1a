//! Rows that are not being written to, in as few bytes as is quick.
//!
//! A packed row is a list of segments. Each begins with a number: its kind in the lowest bits and
//! a count above them. A style holds for all segments after it.

use super::cell::{Cell, Glyph};
use super::combined::Combined;
use super::content::{Content, Span};
use super::style::{Attributes, Color, Style};

/// Cells of ASCII text, a byte each.
pub(super) const ASCII: usize = 0;
/// Cells of text in UTF-8, one column each.
pub(super) const TEXT: usize = 1;
/// Characters in UTF-8, two cells each.
pub(super) const WIDE: usize = 2;
/// Null cells.
pub(super) const NULL: usize = 3;
/// Cells with the glyph that follows.
const REPEAT: usize = 4;
/// Cells with a glyph each.
const RAW: usize = 5;
/// The style; the count says what it is made of.
const STYLE: usize = 6;
/// The style so far is that of the cells past the end; or, with a count, combined texts.
const OTHER: usize = 7;

pub(super) const KIND_BITS: u32 = 3;
const KIND_MASK: usize = 7;

/// Fewest equal cells in long text that become one segment.
const FEWEST_REPEATED: usize = 32;

/// Appends the segments of a row.
pub(super) fn pack(cells: &[Cell], fill: Style, combined: &Combined, out: &mut Vec<u8>) {
    let mut writer = Writer { out };
    let mut style = Style::default();
    if !fill.is_default() {
        writer.fill(fill);
        style = fill;
    }
    if !combined.is_empty() {
        writer.combined(combined);
    }
    let mut rest = cells;
    while let Some(&first) = rest.first() {
        if first.style != style {
            style = first.style;
            writer.style(style);
        }
        rest = writer.cells(rest, first);
    }
}

/// Writes segments.
pub(super) struct Writer<'a> {
    pub(super) out: &'a mut Vec<u8>,
}

impl Writer<'_> {
    /// Sets the style of the cells past the end, which then is the style of what follows.
    pub(super) fn fill(&mut self, fill: Style) {
        self.style(fill);
        self.head(OTHER, 0);
    }

    fn number(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.out.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.out.push(number as u8);
    }

    pub(super) fn head(&mut self, kind: usize, count: usize) {
        self.number(count << KIND_BITS | kind);
    }

    fn glyph(&mut self, glyph: Glyph) {
        self.out.extend_from_slice(&glyph.bits().to_le_bytes());
    }

    #[inline]
    pub(super) fn style(&mut self, style: Style) {
        if style.is_default() {
            return self.out.push(STYLE as u8);
        }
        let [kind, .., index] = style.foreground.bits().to_be_bytes();
        let is_simple = style.background == Color::DEFAULT && style.attributes.is_empty();
        if is_simple && matches!(kind, 1 | 2) {
            // What most text that has a style has.
            let head = usize::from(kind) << KIND_BITS | STYLE;
            return self.out.extend_from_slice(&[head as u8, index]);
        }
        self.any_style(style);
    }

    fn any_style(&mut self, style: Style) {
        let colors = [style.foreground, style.background].map(|color| color.bits().to_be_bytes());
        let [[first, ..], [second, ..]] = colors;
        let attributes = style.attributes.bits();
        let has_attributes = usize::from(attributes != 0);
        let made_of = usize::from(first) | usize::from(second) << 2 | has_attributes << 4;
        self.head(STYLE, made_of);
        let mut bytes = [0; 8];
        let mut len = 0;
        for [kind, red, green, blue] in colors {
            match kind {
                0 => {}
                1 | 2 => {
                    bytes[len] = blue;
                    len += 1;
                }
                _ => {
                    bytes[len..len + 3].copy_from_slice(&[red, green, blue]);
                    len += 3;
                }
            }
        }
        if attributes != 0 {
            bytes[len..len + 2].copy_from_slice(&attributes.to_le_bytes());
            len += 2;
        }
        self.out.extend_from_slice(&bytes[..len]);
    }

    fn combined(&mut self, combined: &Combined) {
        let mut entries = Vec::new();
        let mut inner = Writer { out: &mut entries };
        for (col, text) in combined.iter() {
            inner.number(col);
            inner.number(text.len());
            inner.out.extend_from_slice(text.as_bytes());
        }
        self.head(OTHER, combined.iter().len());
        self.number(entries.len());
        self.out.extend_from_slice(&entries);
    }

    /// Writes the segment that the first of `cells` begins; the cells after it.
    fn cells<'c>(&mut self, cells: &'c [Cell], first: Cell) -> &'c [Cell] {
        let style = first.style;
        let run = |fits: fn(Glyph) -> bool| {
            cells.iter().take_while(|cell| cell.style == style && fits(cell.glyph)).count()
        };
        let glyph = first.glyph;
        if glyph.is_ascii() {
            return self.ascii(cells, run(Glyph::is_ascii));
        }
        if glyph == Glyph::NULL {
            let count = run(|glyph| glyph == Glyph::NULL);
            self.head(NULL, count);
            return &cells[count..];
        }
        let same = cells.iter().take_while(|&&cell| cell == first).count();
        if same >= FEWEST_REPEATED {
            return self.repeat(cells, same);
        }
        if glyph.is_plain(1) {
            let count = run(|glyph| glyph.is_plain(1));
            self.head(TEXT, count);
            self.chars(cells[..count].iter());
            return &cells[count..];
        }
        let wide = cells
            .chunks_exact(2)
            .take_while(|pair| {
                pair[0].glyph.is_plain(2)
                    && pair[1].glyph.is_tail()
                    && pair.iter().all(|cell| cell.style == style)
            })
            .count();
        if wide > 0 {
            self.head(WIDE, wide);
            self.chars(cells[..wide * 2].iter().step_by(2));
            return &cells[wide * 2..];
        }
        let count = run(|glyph| {
            !glyph.is_ascii() && glyph != Glyph::NULL && !glyph.is_plain(1) && !glyph.is_plain(2)
        });
        let count = count.max(1);
        self.head(RAW, count);
        for cell in &cells[..count] {
            self.glyph(cell.glyph);
        }
        &cells[count..]
    }

    fn ascii<'c>(&mut self, cells: &'c [Cell], mut count: usize) -> &'c [Cell] {
        if count > FEWEST_REPEATED {
            let is_repeated = |at: usize| {
                cells[at + 1..at + FEWEST_REPEATED].iter().all(|cell| cell.glyph == cells[at].glyph)
            };
            let starts = (0..=count - FEWEST_REPEATED).step_by(FEWEST_REPEATED / 2);
            match starts.into_iter().find(|&at| is_repeated(at)) {
                Some(0) => {
                    let glyph = cells[0].glyph;
                    let same = cells[..count].iter().take_while(|cell| cell.glyph == glyph).count();
                    return self.repeat(cells, same);
                }
                Some(at) => count = at,
                None => {}
            }
        }
        self.head(ASCII, count);
        self.out.extend(cells[..count].iter().map(|cell| cell.glyph.bits() as u8));
        &cells[count..]
    }

    fn repeat<'c>(&mut self, cells: &'c [Cell], count: usize) -> &'c [Cell] {
        self.head(REPEAT, count);
        self.glyph(cells[0].glyph);
        &cells[count..]
    }

    fn chars<'c>(&mut self, cells: impl Iterator<Item = &'c Cell>) {
        let mut buffer = [0; 4];
        for c in cells.filter_map(|cell| cell.glyph.char()) {
            self.out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
        }
    }
}

/// Takes a number off the front.
fn number(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for shift in (0..usize::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn array<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (array, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*array)
}

/// Takes a character off the front.
fn char(bytes: &mut &[u8]) -> Option<char> {
    let len = match bytes.first()? {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    };
    let (first, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    str::from_utf8(first).ok()?.chars().next()
}

fn color(kind: usize, bytes: &mut &[u8]) -> Option<Color> {
    let (tag, rest) = match kind {
        0 => return Some(Color::DEFAULT),
        1 | 2 => (kind as u8, [0, 0, array::<1>(bytes)?[0]]),
        _ => (3, array(bytes)?),
    };
    let [red, green, blue] = rest;
    Some(Color::from_bits(u32::from_be_bytes([tag, red, green, blue])))
}

fn style(made_of: usize, bytes: &mut &[u8]) -> Option<Style> {
    let foreground = color(made_of & 3, bytes)?;
    let background = color(made_of >> 2 & 3, bytes)?;
    let attributes = if made_of >> 4 & 1 == 1 { u16::from_le_bytes(array(bytes)?) } else { 0 };
    Some(Style { foreground, background, attributes: Attributes::from_bits(attributes) })
}

/// Texts of a packed row, by column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Texts<'a> {
    bytes: &'a [u8],
}

impl<'a> Iterator for Texts<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let mut bytes = self.bytes;
        let col = number(&mut bytes)?;
        let len = number(&mut bytes)?;
        let (text, rest) = bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some((col, str::from_utf8(text).ok()?))
    }
}

/// The cells of a packed row, from the left.
#[derive(Clone, Debug)]
pub(super) struct Cells<'a> {
    bytes: &'a [u8],
    texts: Texts<'a>,
    fill: Style,
    style: Style,
    kind: usize,
    /// Cells still to come of this segment.
    left: usize,
    glyph: Glyph,
    x: usize,
}

impl<'a> Cells<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut cells = Self {
            bytes,
            texts: Texts { bytes: &[] },
            fill: Style::default(),
            style: Style::default(),
            kind: NULL,
            left: 0,
            glyph: Glyph::NULL,
            x: 0,
        };
        // What is not a cell comes first.
        cells.segment();
        cells
    }

    /// Style of the null cells past the end.
    pub(super) const fn fill(&self) -> Style {
        self.fill
    }

    /// Combined texts from here on.
    pub(super) const fn texts(&self) -> Texts<'a> {
        self.texts
    }

    /// Reads up to the first cell of the next segment.
    fn segment(&mut self) -> Option<()> {
        while self.left == 0 {
            let head = number(&mut self.bytes)?;
            let count = head >> KIND_BITS;
            match head & KIND_MASK {
                STYLE => self.style = style(count, &mut self.bytes)?,
                OTHER if count == 0 => self.fill = self.style,
                OTHER => {
                    let len = number(&mut self.bytes)?;
                    let (bytes, rest) = self.bytes.split_at_checked(len)?;
                    self.texts = Texts { bytes };
                    self.bytes = rest;
                }
                kind => {
                    self.kind = kind;
                    self.left = if kind == WIDE { count * 2 } else { count };
                    match kind {
                        NULL => self.glyph = Glyph::NULL,
                        REPEAT => {
                            let bits = u32::from_le_bytes(array(&mut self.bytes)?);
                            self.glyph = Glyph::from_bits(bits);
                        }
                        _ => {}
                    }
                }
            }
        }
        Some(())
    }

    /// The rest of the segment at once, where it is ASCII text or null cells; else the next cell.
    pub(super) fn span(&mut self) -> Option<Span<'a>> {
        if self.left == 0 {
            self.segment()?;
        }
        let count = self.left;
        let span = match self.kind {
            ASCII => {
                let (text, rest) = self.bytes.split_at_checked(count)?;
                self.bytes = rest;
                Span::Ascii(str::from_utf8(text).ok()?, self.style)
            }
            NULL => Span::Null(count, self.style),
            _ => return self.next().map(Span::Cell),
        };
        self.left = 0;
        self.x += count;
        Some(span)
    }

    fn text_at(&mut self, x: usize) -> Option<&'a str> {
        loop {
            let mut after = self.texts;
            let (col, text) = after.next()?;
            if col > x {
                return None;
            }
            self.texts = after;
            if col == x {
                return Some(text);
            }
        }
    }
}

impl<'a> Iterator for Cells<'a> {
    type Item = Content<'a>;

    fn next(&mut self) -> Option<Content<'a>> {
        if self.left == 0 {
            self.segment()?;
        }
        let glyph = match self.kind {
            ASCII => Glyph::ascii(array::<1>(&mut self.bytes)?[0]),
            TEXT => Glyph::new(char(&mut self.bytes)?, 1),
            WIDE if self.left % 2 == 1 => Glyph::TAIL,
            WIDE => Glyph::new(char(&mut self.bytes)?, 2),
            RAW => Glyph::from_bits(u32::from_le_bytes(array(&mut self.bytes)?)),
            _ => self.glyph,
        };
        self.left -= 1;
        let x = self.x;
        self.x += 1;
        let combined = if glyph.is_combined() { self.text_at(x) } else { None };
        Some(Content::new(glyph, self.style, combined))
    }
}
