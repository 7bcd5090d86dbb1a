//! The times that are written into artifacts.

use jiff::Timestamp;

/// RFC 3339 in UTC with milliseconds and `Z`.
pub fn format_time(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// Milliseconds since 1970, 0 for times before.
pub fn milliseconds(time: Timestamp) -> u64 {
    u64::try_from(time.as_millisecond()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn always_three_digits_and_z() {
        for (millisecond, want) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_780_000_000_007, "2026-05-28T20:26:40.007Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] {
            let time = Timestamp::from_millisecond(millisecond).unwrap();
            assert_eq!(format_time(time), want);
        }
    }
}
