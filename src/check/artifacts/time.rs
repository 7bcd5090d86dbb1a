//! The one form of times in an artifact.

use jiff::Timestamp;

use crate::artifact::clock::format_time;

/// The time that a text stands for, none where it is written in another form than
/// `2026-05-04T09:00:00.000Z`.
pub(super) fn strict_time(text: &str) -> Option<Timestamp> {
    let time: Timestamp = text.parse().ok()?;
    (format_time(time) == text).then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_spellings_of_a_time_are_none() {
        assert!(strict_time("2026-05-04T09:00:00.000Z").is_some());
        for text in [
            "",
            "2026-05-04T09:00:00Z",
            "2026-05-04T09:00:00.000+00:00",
            "2026-05-04 09:00:00.000Z",
            "2026-05-04T09:00:00.0000Z",
            "2026-13-04T09:00:00.000Z",
            " 2026-05-04T09:00:00.000Z",
        ] {
            assert!(strict_time(text).is_none(), "{text}");
        }
    }
}
