//! Blocks as one SVG file: no scripts, nothing from elsewhere.
//!
//! Each run of text has its place and its length on the grid of cells, so that it fits there
//! whatever font is there.

use std::fmt::Write;

use super::Picture;
use super::escape::push_escaped;
use super::look::{Look, Paint, RULES};
use super::palette::properties;
use super::span::{Shape, Span};

/// A cell, in pixels.
const CELL: (usize, usize) = (8, 17);
/// From the top of a cell to where its text stands.
const BASELINE: usize = 13;
/// Space around everything.
const MARGIN: usize = 10;

/// An SVG file that is being made.
#[derive(Debug, Default)]
pub struct Drawing {
    body: String,
    /// Columns of the widest part.
    columns: usize,
    /// Rows so far.
    rows: usize,
}

impl Drawing {
    /// Appends a line about what follows.
    pub fn heading(&mut self, heading: &str) {
        if self.rows > 0 {
            self.rows += 1;
        }
        let y = self.top() + BASELINE;
        // Writing to a String cannot fail.
        write!(self.body, "<text class=\"t\" x=\"{MARGIN}\" y=\"{y}\">").unwrap_or_default();
        push_escaped(&mut self.body, heading);
        self.body.push_str("</text>\n");
        self.columns = self.columns.max(heading.chars().count());
        self.rows += 1;
    }

    /// Appends the rows of a picture; those of the alternate buffer below a line.
    pub fn screen(&mut self, picture: &Picture<'_>) {
        self.columns = self.columns.max(picture.columns());
        for is_alternate in [false, true] {
            if is_alternate && picture.row_count(false) > 0 && picture.row_count(true) > 0 {
                self.rule(picture.columns());
            }
            for spans in picture.rows(is_alternate) {
                spans.chunk_by(|a, b| a.style == b.style).for_each(|run| self.background(run));
                spans.iter().for_each(|span| self.text(span));
                self.rows += 1;
            }
        }
    }

    /// The file.
    pub fn finish(self, title: &str) -> String {
        let width = self.columns * CELL.0 + 2 * MARGIN;
        let height = self.rows * CELL.1 + 2 * MARGIN;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" xml:space=\"preserve\">\n<title>"
        );
        push_escaped(&mut out, title);
        out.push_str("</title>\n<style>\n");
        out.push_str(&properties("svg"));
        out.push_str(
            "text{font:13.3px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;\
             white-space:pre;fill:var(--fore);font-variant-ligatures:none}\n\
             rect{shape-rendering:crispEdges}\n.t{opacity:.75}.d{fill-opacity:.6}.h{opacity:0}\n",
        );
        out.push_str(RULES);
        for index in 0..16 {
            write!(out, ".f{index}{{fill:var(--c{index})}}.g{index}{{fill:var(--g{index})}}")
                .unwrap_or_default();
        }
        out.push_str(
            "\n.ff{fill:var(--fore)}.fb{fill:var(--back)}\n</style>\n\
             <rect class=\"fb\" width=\"100%\" height=\"100%\" rx=\"4\"/>\n",
        );
        out.push_str(&self.body);
        out.push_str("</svg>\n");
        out
    }

    fn top(&self) -> usize {
        MARGIN + self.rows * CELL.1
    }

    fn rule(&mut self, columns: usize) {
        let (y, width) = (self.top() + CELL.1 / 2, columns * CELL.0);
        let rect = format!(
            "<rect class=\"f8\" x=\"{MARGIN}\" y=\"{y}\" width=\"{width}\" height=\"1\"/>\n"
        );
        self.body.push_str(&rect);
        self.rows += 1;
    }

    fn background(&mut self, run: &[Span]) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
        let Some(back) = Look::of(first.style).back else { return };
        let (x, y) = (MARGIN + first.column * CELL.0, self.top());
        let width = (last.column + last.columns - first.column) * CELL.0;
        let fill = attributes("", Some(back));
        let height = CELL.1;
        let rect =
            format!("<rect{fill} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>\n");
        self.body.push_str(&rect);
    }

    fn text(&mut self, span: &Span) {
        let look = Look::of(span.style);
        let classes = look.classes();
        // Blanks show only where a line is drawn through them.
        let shown = if classes.is_empty() { span.text.trim_end_matches(' ') } else { &span.text };
        let start = shown.len() - shown.trim_start_matches(' ').len();
        let start = if classes.is_empty() { start } else { 0 };
        let shown = shown.get(start..).unwrap_or("");
        if shown.is_empty() {
            return;
        }
        let columns = if span.shape == Shape::Plain { shown.len() } else { span.columns };
        let x = MARGIN + (span.column + start) * CELL.0;
        let (y, length) = (self.top() + BASELINE, columns * CELL.0);
        // Text has that colour where nothing else is said.
        let look = attributes(&classes, Some(look.fore).filter(|fore| *fore != Paint::Fore));
        let text = format!(
            "<text{look} x=\"{x}\" y=\"{y}\" textLength=\"{length}\" \
             lengthAdjust=\"spacingAndGlyphs\">"
        );
        self.body.push_str(&text);
        push_escaped(&mut self.body, shown);
        self.body.push_str("</text>\n");
    }
}

/// The classes of an element, and its colour.
fn attributes(classes: &str, fill: Option<Paint>) -> String {
    let mut classes = classes.to_owned();
    let mut style = String::new();
    let class = match fill {
        None => String::new(),
        Some(Paint::Fore) => "ff".to_owned(),
        Some(Paint::Back) => "fb".to_owned(),
        Some(Paint::Basic(index)) => format!("f{index}"),
        Some(Paint::Fill(index)) => format!("g{index}"),
        Some(fill @ Paint::Fixed(_)) => {
            style = format!(" style=\"fill:{}\"", fill.css());
            String::new()
        }
    };
    if !classes.is_empty() && !class.is_empty() {
        classes.push(' ');
    }
    classes.push_str(&class);
    if classes.is_empty() { style } else { format!(" class=\"{classes}\"{style}") }
}
