//! Blocks as one HTML file: no scripts, nothing from elsewhere.
//!
//! Text that is not ASCII stands in boxes of whole columns, so that what follows it is where it was
//! on the screen whatever font is there.

use std::fmt::Write;

use super::Picture;
use super::escape::push_escaped;
use super::look::{Look, Paint, RULES};
use super::palette::properties;
use super::span::{Shape, Span};

const STYLE: &str = "\
body{margin:1.5rem;background:var(--back);color:var(--fore);font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.4rem}h2{font-size:1rem;margin:2rem 0 .2rem;overflow-wrap:anywhere}
p{margin:.2rem 0;overflow-wrap:anywhere}
.facts{font-size:.9rem;opacity:.75}.ok{color:var(--c2)}.bad{color:var(--c1)}
pre{font:.875rem/1.25 ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;margin:.5rem 0;\
padding:.6em;border:1px solid var(--c8);border-radius:4px;font-variant-ligatures:none;tab-size:8}
pre.screen{overflow-x:auto;max-width:calc(100% - 1.3em);white-space:pre}pre.text{white-space:pre-wrap;overflow-wrap:anywhere}
pre.screen *{display:inline-block;height:1.25em;vertical-align:top}
pre.screen span *{text-decoration-style:inherit}
pre.screen span{color:var(--f,var(--fore));background:var(--b,transparent)}
pre.screen i,pre.screen b{width:1ch;text-align:center;font-style:inherit;font-weight:inherit}
pre.screen b{width:2ch}
pre.screen .d{color:color-mix(in srgb,var(--f,var(--fore)) 60%,transparent)}
pre.screen .h{color:transparent}
";

/// Appends the beginning of a page, up to where its sections go.
pub fn push_start(out: &mut String, title: &str) {
    out.push_str(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
    );
    push_escaped(out, title);
    out.push_str("</title>\n<style>\n");
    out.push_str(&properties(":root"));
    out.push_str(STYLE);
    out.push_str(RULES);
    for index in 0..16 {
        // Writing to a String cannot fail.
        write!(out, ".f{index}{{--f:var(--c{index})}}.g{index}{{--b:var(--g{index})}}")
            .unwrap_or_default();
    }
    out.push_str("\n</style>\n</head>\n<body>\n<h1>");
    push_escaped(out, title);
    out.push_str("</h1>\n");
}

/// Appends the end of a page.
pub fn push_end(out: &mut String) {
    out.push_str("</body>\n</html>\n");
}

/// Something to say about a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Nothing special.
    Plain(String),
    /// All is well.
    Good(String),
    /// Something is wrong.
    Bad(String),
}

/// Appends the heading of a section, and what is known about it.
pub fn push_heading(out: &mut String, heading: &str, facts: &[Fact]) {
    out.push_str("<h2>");
    push_escaped(out, heading);
    out.push_str("</h2>\n");
    if facts.is_empty() {
        return;
    }
    out.push_str("<p class=\"facts\">");
    for (index, fact) in facts.iter().enumerate() {
        if index > 0 {
            out.push_str(" · ");
        }
        let (class, text) = match fact {
            Fact::Plain(text) => ("", text),
            Fact::Good(text) => ("<span class=\"ok\">", text),
            Fact::Bad(text) => ("<span class=\"bad\">", text),
        };
        out.push_str(class);
        push_escaped(out, text);
        out.push_str(if class.is_empty() { "" } else { "</span>" });
    }
    out.push_str("</p>\n");
}

/// Appends a text that was on no screen.
pub fn push_text(out: &mut String, text: &str) {
    out.push_str("<pre class=\"text\">\n");
    push_escaped(out, text);
    out.push_str("</pre>\n");
}

/// Appends the rows of a picture; those of the alternate buffer in a frame of their own.
pub fn push_screen(out: &mut String, picture: &Picture<'_>) {
    let width = picture.columns();
    for is_alternate in [false, true] {
        if picture.row_count(is_alternate) == 0 {
            continue;
        }
        // The newline behind the tag is not part of the text.
        writeln!(out, "<pre class=\"screen\" style=\"width:{width}ch\">").unwrap_or_default();
        for spans in picture.rows(is_alternate) {
            push_row(out, &spans);
            out.push('\n');
        }
        out.push_str("</pre>\n");
    }
}

/// Appends one row. Spans of one style share an element.
fn push_row(out: &mut String, spans: &[Span]) {
    for run in spans.chunk_by(|a, b| a.style == b.style) {
        let Some(first) = run.first() else { continue };
        let look = Look::of(first.style);
        let attributes = attributes(&look);
        if !attributes.is_empty() {
            out.push_str("<span");
            out.push_str(&attributes);
            out.push('>');
        }
        for span in run {
            let tag = match (span.shape, span.columns) {
                (Shape::Plain, _) => None,
                (Shape::Glyph, 2) => Some('b'),
                (Shape::Glyph, _) => Some('i'),
            };
            if let Some(tag) = tag {
                write!(out, "<{tag}>").unwrap_or_default();
            }
            push_escaped(out, &span.text);
            if let Some(tag) = tag {
                write!(out, "</{tag}>").unwrap_or_default();
            }
        }
        if !attributes.is_empty() {
            out.push_str("</span>");
        }
    }
}

fn attributes(look: &Look) -> String {
    let mut classes = look.classes();
    let mut style = String::new();
    let fore = Some(look.fore).filter(|fore| *fore != Paint::Fore);
    for (name, paint) in [('f', fore), ('b', look.back)] {
        let class = match paint {
            None => continue,
            Some(Paint::Basic(index)) if name == 'f' => format!("f{index}"),
            Some(Paint::Fill(index)) if name == 'b' => format!("g{index}"),
            Some(paint) => {
                write!(style, "--{name}:{};", paint.css()).unwrap_or_default();
                continue;
            }
        };
        let space = if classes.is_empty() { "" } else { " " };
        write!(classes, "{space}{class}").unwrap_or_default();
    }
    let mut out = String::new();
    if !classes.is_empty() {
        write!(out, " class=\"{classes}\"").unwrap_or_default();
    }
    if !style.is_empty() {
        write!(out, " style=\"{}\"", style.trim_end_matches(';')).unwrap_or_default();
    }
    out
}
