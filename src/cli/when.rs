//! Points in time as they are typed.

use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{Span, SpanRelativeTo, Timestamp};

use crate::text;

/// An RFC 3339 time, a date or a time without zone in UTC, or how long before `now`.
pub(super) fn parse(given: &str, now: Timestamp) -> Result<Timestamp, String> {
    let typed = text::strip(given);
    if let Ok(time) = typed.parse::<Timestamp>() {
        return Ok(time);
    }
    if let Ok(local) = typed.parse::<DateTime>() {
        return Offset::UTC.to_timestamp(local).map_err(|_| invalid(given));
    }
    let span: Span = typed.parse().map_err(|_| invalid(given))?;
    // Months and years are of no one length.
    let ago = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(|_| invalid(given))?;
    now.checked_sub(ago.abs()).map_err(|_| invalid(given))
}

fn invalid(given: &str) -> String {
    format!("invalid time: {given} (2026-05-04T09:00:00Z, 2026-05-04, 2h, 3d and 1w are valid)")
}

/// How long before `now` a time is, in one unit; the date where that is long.
pub(super) fn relative(time: Timestamp, now: Timestamp) -> String {
    let seconds = now.as_second() - time.as_second();
    match seconds {
        0..60 => format!("{seconds}s ago"),
        60..3_600 => format!("{}m ago", seconds / 60),
        3_600..172_800 => format!("{}h ago", seconds / 3_600),
        172_800..5_184_000 => format!("{}d ago", seconds / 86_400),
        _ => time.strftime("%Y-%m-%d").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn times_dates_and_spans() {
        let now = time("2026-05-10T12:00:00Z");
        for (given, want) in [
            ("2026-05-04T09:00:00+02:00", "2026-05-04T07:00:00Z"),
            (" 2026-05-04 ", "2026-05-04T00:00:00Z"),
            ("2026-05-04T09:30", "2026-05-04T09:30:00Z"),
            ("2h", "2026-05-10T10:00:00Z"),
            ("3d", "2026-05-07T12:00:00Z"),
            ("1w", "2026-05-03T12:00:00Z"),
            ("1h30m", "2026-05-10T10:30:00Z"),
            ("2 hours ago", "2026-05-10T10:00:00Z"),
        ] {
            assert_eq!(parse(given, now).unwrap(), time(want), "{given}");
        }
        for bad in ["", "soon", "5", "1mo", "1y", "2026-13-01", "99999999999999h"] {
            let error = parse(bad, now).unwrap_err();
            assert!(error.starts_with("invalid time: "), "{bad}: {error}");
        }
    }

    #[test]
    fn ages_have_one_unit() {
        let now = time("2026-05-10T12:00:00Z");
        for (then, want) in [
            ("2026-05-10T12:00:00Z", "0s ago"),
            ("2026-05-10T11:59:01Z", "59s ago"),
            ("2026-05-10T11:00:01Z", "59m ago"),
            ("2026-05-08T12:00:01Z", "47h ago"),
            ("2026-05-08T12:00:00Z", "2d ago"),
            ("2026-03-11T12:00:01Z", "59d ago"),
            ("2026-03-11T12:00:00Z", "2026-03-11"),
            ("2026-05-10T12:00:01Z", "2026-05-10"),
        ] {
            assert_eq!(relative(time(then), now), want);
        }
    }
}
