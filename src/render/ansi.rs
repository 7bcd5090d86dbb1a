//! Text with colours.

use super::Picture;
use crate::screen::Style;
use crate::snapshot::push_style_change;

/// The lines of a picture with their colours, a newline between them.
///
/// Each line begins and ends in the terminal's own style. SGR sequences are the only ones; without
/// them, and without blanks at line ends, this is the screen's text.
pub fn ansi_text(picture: &Picture<'_>) -> String {
    let mut out = String::new();
    for (index, spans) in picture.text_lines().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let mut style = Style::default();
        for span in spans {
            change(&mut out, style, span.style);
            style = span.style;
            // Cells hold no controls; a terminal must not depend on that.
            let shown = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
            out.extend(span.text.chars().map(shown));
        }
        change(&mut out, style, Style::default());
    }
    out
}

/// Begins anew for each style: the code that ends bold also ends dim.
fn change(out: &mut String, from: Style, to: Style) {
    if from == to {
        return;
    }
    if !from.is_default() {
        out.push_str("\x1b[0m");
    }
    push_style_change(out, Style::default(), to);
}
