//! The arguments of a call, by place or by keyword.

use mageyard_kit::Expression;

/// An argument with its keyword.
pub(super) type Argument = (Option<String>, Expression);

/// The arguments with these names, in their order; `None` for those that are not given.
pub(super) fn bind<'a, const N: usize>(
    arguments: &'a [Argument],
    call: &str,
    names: [&str; N],
) -> Result<[Option<&'a Expression>; N], String> {
    let mut bound = [None; N];
    let mut keywords_begun = false;
    for (place, (keyword, value)) in arguments.iter().enumerate() {
        keywords_begun |= keyword.is_some();
        let index = match keyword {
            Some(keyword) => names.iter().position(|name| name == keyword),
            None => Some(place).filter(|place| *place < N && !keywords_begun),
        };
        let slot = index.and_then(|index| bound.get_mut(index));
        let slot = slot.ok_or_else(|| {
            let what =
                keyword.as_ref().map_or_else(|| value.to_string(), |keyword| format!("{keyword}={value}"));
            format!("{call}: {what} is not an argument that is read; its arguments are {}", names.join(", "))
        })?;
        if slot.replace(value).is_some() {
            return Err(format!("{call}: {} is given twice", keyword.as_deref().unwrap_or("an argument")));
        }
    }
    Ok(bound)
}

/// An argument that must be given.
pub(super) fn required<'a>(
    value: Option<&'a Expression>,
    call: &str,
    name: &str,
) -> Result<&'a Expression, String> {
    value.ok_or_else(|| format!("{name}: missing; {call} has no such argument"))
}
