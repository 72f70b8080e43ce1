//! Calendar date of the system's clock.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds of a day.
const DAY: u64 = 86_400;
/// Days of 400 years of the Gregorian calendar, after which it repeats.
const ERA: u64 = 146_097;
/// Days from 1 March 0000, the begin of the first era, to 1 January 1970.
const EPOCH: u64 = 719_468;

/// Returns the present date in UTC: `2026-11-25`.
pub fn today() -> String {
    date(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
}

/// Returns the date of a time in seconds since 1970. Years are counted from March, so that the leap day is the last.
fn date(seconds: u64) -> String {
    let days = seconds / DAY + EPOCH;
    let (era, day) = (days / ERA, days % ERA);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Five months from March on have 153 days together.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_dates() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (20_782, "2026-11-25"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days * DAY + DAY - 1), expected);
        }
    }
}
