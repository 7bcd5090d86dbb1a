//! The colours of a terminal, as style sheets have them.

use std::fmt::Write;

/// Dark text on a light page.
#[rustfmt::skip]
const LIGHT: Theme = Theme {
    fore: "#24272b",
    back: "#ffffff",
    text: [
        "#2b2f36", "#b42318", "#1a7f37", "#8a6100", "#1f5fbf", "#8b3fa8", "#0f7480", "#7c828a",
        "#5d636b", "#d1362a", "#2a9a4b", "#a67c00", "#3a7be0", "#a75cc4", "#1d929e", "#a3a8ae",
    ],
    fill: [
        "#2b2f36", "#d9665d", "#6cc07f", "#dcb24f", "#4a80cc", "#b274c8", "#5fb9c4", "#d8dbde",
        "#a3a8ae", "#ec8f87", "#97dba5", "#f0d283", "#8db8f5", "#d9a8ea", "#92dce3", "#eef0f2",
    ],
};

/// Light text on a dark page.
#[rustfmt::skip]
const DARK: Theme = Theme {
    fore: "#d4d7db",
    back: "#15181c",
    text: [
        "#4a505a", "#e0635a", "#6cbf73", "#d6b25e", "#6aa1ec", "#c58bdb", "#5cbcc6", "#c3c7cc",
        "#7f8690", "#f08078", "#8ad890", "#eccb7c", "#8db8f5", "#d9a8ea", "#7ed3dc", "#f2f3f5",
    ],
    fill: [
        "#2e333b", "#b8443b", "#459a55", "#a87f22", "#3767b0", "#8d4ba6", "#2a8a95", "#6d747e",
        "#545b65", "#cf5f56", "#5fb26c", "#bf9738", "#5286d1", "#a768bf", "#3fa3ae", "#8b929b",
    ],
};

struct Theme {
    fore: &'static str,
    back: &'static str,
    /// The basic colours as those of text, which are seen on the page.
    text: [&'static str; 16],
    /// The same behind text, which is seen on them.
    fill: [&'static str; 16],
}

/// Custom properties with the colours of both themes for what `selector` selects: `--fore`,
/// `--back`, `--c0` to `--c15` for text, and `--g0` to `--g15` behind it.
pub(super) fn properties(selector: &str) -> String {
    let (light, dark) = (LIGHT.properties(), DARK.properties());
    format!(
        "{selector}{{color-scheme:light dark;{light}}}\n\
         @media (prefers-color-scheme:dark){{{selector}{{{dark}}}}}\n"
    )
}

impl Theme {
    fn properties(&self) -> String {
        let mut out = format!("--fore:{};--back:{}", self.fore, self.back);
        for (name, colors) in [('c', &self.text), ('g', &self.fill)] {
            for (index, color) in colors.iter().enumerate() {
                // Writing to a String cannot fail.
                write!(out, ";--{name}{index}:{color}").unwrap_or_default();
            }
        }
        out
    }
}

/// Red, green and blue of the colours from 16 on, which are the same in every theme: a cube of six
/// levels, then 24 greys.
pub(super) fn fixed(index: u8) -> [u8; 3] {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match index.checked_sub(232) {
        Some(grey) => [8 + 10 * grey; 3],
        None => {
            let place = usize::from(index.saturating_sub(16));
            [place / 36, place / 6 % 6, place % 6].map(|level| LEVELS.get(level).map_or(0, |l| *l))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_those_of_xterm() {
        for (index, want) in [
            (16, [0, 0, 0]),
            (21, [0, 0, 255]),
            (196, [255, 0, 0]),
            (110, [135, 175, 215]),
            (231, [255, 255, 255]),
            (232, [8, 8, 8]),
            (255, [238, 238, 238]),
        ] {
            assert_eq!(fixed(index), want, "{index}");
        }
    }
}
