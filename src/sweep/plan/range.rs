//! Ranges of numbers as text: `1..3` with both ends, and `0..10 step 5`.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde_json::Value;

use mageyard_config::SettingKind;

/// The largest number of values in a range.
const MOST: usize = 10_000;

/// The values of a range, or what is wrong with it; `None` if the text is not written as a range.
pub(super) fn parse(text: &str, kind: SettingKind) -> Option<Result<Vec<Value>, String>> {
    let (range, step) = match text.split_once("step") {
        Some((range, step)) => (range, Some(step.trim())),
        None => (text, None),
    };
    let (first, last) = range.split_once("..")?;
    let ends = (first.trim(), last.trim());
    Some(match kind {
        SettingKind::Integer => whole(ends, step),
        _ => decimal(ends, step),
    })
}

fn whole((first, last): (&str, &str), step: Option<&str>) -> Result<Vec<Value>, String> {
    let number = |text: &str| text.parse::<i64>().map_err(|_| format!("{text:?} is not a whole number"));
    let first = number(first)?;
    let last = number(last)?;
    let step = step.map_or(Ok(1), number)?;
    if step < 1 {
        return Err(format!("the step is {step}, and must be at least 1"));
    }
    let wide = last.checked_sub(first).ok_or_else(|| "the range is too wide".to_owned())?;
    let count = count_steps(wide / step, wide < 0)?;
    Ok((0..).take(count).map(|index: i64| Value::from(first + index * step)).collect())
}

fn decimal((first, last): (&str, &str), step: Option<&str>) -> Result<Vec<Value>, String> {
    let number = |text: &str| {
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| format!("{text:?} is not a number"))
    };
    let step = step.ok_or("a range of numbers needs a step, such as 0..1 step 0.25")?;
    let first = number(first)?;
    let last = number(last)?;
    let step = number(step)?;
    if step <= 0.0 {
        return Err(format!("the step is {step}, and must be more than 0"));
    }
    // A step such as 0.1 is not exact in binary.
    let steps = ((last - first) / step + 1e-9).floor();
    #[allow(clippy::cast_possible_truncation, reason = "too large a number is refused below")]
    let count = count_steps(steps as i64, last < first)?;
    let value = |index: u32| Value::from(rounded(first + f64::from(index) * step));
    Ok((0..).take(count).map(value).collect())
}

/// The number of values in a range with so many steps.
fn count_steps(steps: i64, falls: bool) -> Result<usize, String> {
    if falls {
        return Err("it ends before it begins".to_owned());
    }
    let count = usize::try_from(steps).ok().and_then(|steps| steps.checked_add(1));
    count.filter(|count| *count <= MOST).ok_or_else(|| format!("it has more than {MOST} values"))
}

/// The number without the noise of binary fractions.
fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str, kind: SettingKind) -> String {
        match parse(text, kind) {
            None => "no range".to_owned(),
            Some(Ok(values)) => Value::from(values).to_string(),
            Some(Err(what)) => what,
        }
    }

    #[test]
    fn a_range_has_both_ends() {
        let whole = |text| values(text, SettingKind::Integer);
        assert_eq!(whole("1..3"), "[1,2,3]");
        assert_eq!(whole("4..4"), "[4]");
        assert_eq!(whole(" -1 .. 5 step 3"), "[-1,2,5]");
        assert_eq!(whole("0..10 step 4"), "[0,4,8]");
        assert_eq!(values("0..1 step 0.25", SettingKind::Number), "[0.0,0.25,0.5,0.75,1.0]");
        assert_eq!(values("0..0.3 step 0.1", SettingKind::Number), "[0.0,0.1,0.2,0.3]");
    }

    #[test]
    fn a_wrong_range_is_refused_with_the_reason() {
        let whole = |text| values(text, SettingKind::Integer);
        assert_eq!(whole("3..1"), "it ends before it begins");
        assert_eq!(whole("1..x"), "\"x\" is not a whole number");
        assert_eq!(whole("1..9 step 0"), "the step is 0, and must be at least 1");
        assert_eq!(whole("1..10001"), "it has more than 10000 values");
        assert_eq!(whole("-9223372036854775808..9223372036854775807"), "the range is too wide");
        assert_eq!(whole("1-3"), "no range");
        let decimal = |text| values(text, SettingKind::Number);
        assert_eq!(decimal("0..1"), "a range of numbers needs a step, such as 0..1 step 0.25");
        assert_eq!(decimal("0..1 step -1"), "the step is -1, and must be more than 0");
        assert_eq!(decimal("0..1 step 1e-300"), "it has more than 10000 values");
        assert_eq!(decimal("1..inf step 1"), "\"inf\" is not a number");
    }
}
