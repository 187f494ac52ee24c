//! Times, size, owner and group of files.

use mageyard_domain::nearest_names;
use serde_json::{Map, Value};
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use time::{Date, OffsetDateTime, PrimitiveDateTime, Time};

use crate::handlers::{Case, FileFacts, Finding, Params, Rules};

use super::{facts, files, wrong};

const KEYS: [&str; 5] = ["last_modified", "creation_time", "size", "owner", "group"];

/// The metadata of each file is as given (`AgentStudio`, section 5 of the rules). Times are ISO 8601 in UTC, the zone of
/// the computer of an episode; `creation_time` is the time of the last change of the inode, as in the released code.
/// There a time with a zone never matches and unknown names are left out; the standard rules convert the zone, refuse
/// unknown names, and compare a time without fraction by its second.
pub(super) fn check(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    for (path, expected) in files(params, case)? {
        let expected = expected.as_object().ok_or_else(|| wrong(&path, "an object"))?;
        if case.rules == Rules::Standard {
            known(&path, expected)?;
        }
        let facts = facts(case, &path)?;
        for (name, value) in expected {
            check_one(&path, name, value, &facts, case.rules)?;
        }
    }
    Ok(())
}

fn known(path: &str, expected: &Map<String, Value>) -> Result<(), Finding> {
    let Some(name) = expected.keys().find(|name| !KEYS.contains(&name.as_str())) else { return Ok(()) };
    let nearest = nearest_names(name, KEYS);
    let known = if nearest.is_empty() { KEYS.to_vec() } else { nearest };
    let reason = format!("{name} of {path} is not metadata; there is {}", known.join(", "));
    Err(Finding::error(format!("file_to_check: {reason}")))
}

fn check_one(path: &str, name: &str, value: &Value, facts: &FileFacts, rules: Rules) -> Result<(), Finding> {
    let text = || value.as_str().ok_or_else(|| wrong(path, &format!("a text for {name}")));
    let (found, matches) = match name {
        "last_modified" => {
            same_time(facts.modified, text()?, rules).map_err(|reason| wrong(path, &reason))?
        }
        "creation_time" => same_time(facts.changed, text()?, rules).map_err(|reason| wrong(path, &reason))?,
        "size" => {
            let size = value.as_f64().ok_or_else(|| wrong(path, "a number of bytes for size"))?;
            #[expect(clippy::cast_precision_loss, reason = "files have fewer than 2^53 bytes")]
            let found = facts.size as f64;
            (facts.size.to_string(), found == size)
        }
        "owner" => (facts.owner.clone(), facts.owner == text()?),
        "group" => (facts.group.clone(), facts.group == text()?),
        _ => return Ok(()),
    };
    if matches {
        return Ok(());
    }
    let expected = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Err(Finding::fail(format!("{name} of {path} is {found}, expected is {expected}")))
}

const ZONED: &[BorrowedFormatItem<'_>] = format_description!(
    version = 2,
    "[year]-[month]-[day][first [T][ ]][hour]:[minute][optional [:[second][optional [.[subsecond]]]]][offset_hour sign:mandatory]:[offset_minute]"
);
const DATE: &[BorrowedFormatItem<'_>] = format_description!(version = 2, "[year]-[month]-[day]");
const LOCAL: &[BorrowedFormatItem<'_>] = format_description!(
    version = 2,
    "[year]-[month]-[day][first [T][ ]][hour]:[minute][optional [:[second][optional [.[subsecond]]]]]"
);

/// The time of a file in words, and whether it is the expected one.
fn same_time(found: f64, expected: &str, rules: Rules) -> Result<(String, bool), String> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float is clamped, which no time of a file reaches"
    )]
    let micros = (found * 1e6).round() as i64;
    let words = OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1000).map_or_else(
        |_| format!("{found} s"),
        |time| shown(PrimitiveDateTime::new(time.date(), time.time())),
    );
    let (expected_time, has_zone) =
        parse(expected).ok_or_else(|| format!("a time such as 2024-03-01T12:00:00 instead of {expected}"))?;
    if has_zone && rules == Rules::Code {
        return Ok((words, false));
    }
    let expected_micros = expected_time.unix_timestamp_nanos() / 1000;
    let has_fraction = expected.contains('.');
    let matches = if rules == Rules::Standard && !has_fraction {
        i128::from(micros).div_euclid(1_000_000) == expected_micros.div_euclid(1_000_000)
    } else {
        i128::from(micros) == expected_micros
    };
    Ok((words, matches))
}

fn shown(time: PrimitiveDateTime) -> String {
    time.format(LOCAL).unwrap_or_else(|_| time.to_string())
}

/// A time in UTC, and whether it was written with a zone.
fn parse(text: &str) -> Option<(OffsetDateTime, bool)> {
    if let Ok(date) = Date::parse(text, DATE) {
        return Some((PrimitiveDateTime::new(date, Time::MIDNIGHT).assume_utc(), false));
    }
    if let Ok(time) = PrimitiveDateTime::parse(text, LOCAL) {
        return Some((time.assume_utc(), false));
    }
    let zoned = text.strip_suffix('Z').map_or_else(|| text.to_owned(), |text| format!("{text}+00:00"));
    OffsetDateTime::parse(&zoned, ZONED).ok().map(|time| (time, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_python_reads_them() {
        let second = 1_709_294_400; // 2024-03-01T12:00:00
        for text in ["2024-03-01T12:00:00", "2024-03-01 12:00", "2024-03-01T12:00:00.000"] {
            assert_eq!(
                parse(text).map(|(time, zone)| (time.unix_timestamp(), zone)),
                Some((second, false)),
                "{text}"
            );
        }
        for text in ["2024-03-01T12:00:00Z", "2024-03-01T14:00:00+02:00"] {
            assert_eq!(
                parse(text).map(|(time, zone)| (time.unix_timestamp(), zone)),
                Some((second, true)),
                "{text}"
            );
        }
        assert_eq!(parse("2024-03-01").map(|(time, _)| time.unix_timestamp()), Some(second - 12 * 3600));
        assert_eq!(parse("yesterday"), None);
    }

    #[test]
    fn a_zone_and_a_fraction_differ_by_the_rules() {
        let found = 1_709_294_400.25;
        let same = |text, rules| same_time(found, text, rules).unwrap().1;
        assert!(same("2024-03-01T12:00:00", Rules::Standard));
        assert!(!same("2024-03-01T12:00:00", Rules::Code));
        assert!(same("2024-03-01T12:00:00.25", Rules::Code));
        assert!(!same("2024-03-01T12:00:00.3", Rules::Standard));
        assert!(same("2024-03-01T13:00:00+01:00", Rules::Standard));
        assert!(!same("2024-03-01T13:00:00.25+01:00", Rules::Code));
        assert!(same_time(found, "noon", Rules::Standard).is_err());
        assert_eq!(same_time(found, "2024-03-01", Rules::Code).unwrap().0, "2024-03-01T12:00:00.25");
    }
}
