//! Handlers of the size of pictures and of their files.

use serde_json::{Map, Value};

use super::picture::Picture;
use crate::handlers::{Case, Finding, Params, Rules};

/// The table under `rule` or `rules`.
fn rule<'a>(params: &Params<'a>) -> Result<&'a Map<String, Value>, Finding> {
    let name = if params.get("rule").is_some() { "rule" } else { "rules" };
    params.table(name)
}

/// The picture has the width, the height, or both that the rule gives (`AgentStudio`, section 5 of the rules). A rule
/// with neither is an error; the released code passes.
pub(super) fn image_size(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let rule = rule(params)?;
    let path = params.text("src_path")?;
    let expected = |name: &str| match rule.get(name).filter(|value| !value.is_null()) {
        None => Ok(None),
        Some(value) => value
            .as_f64()
            .map(Some)
            .ok_or_else(|| Finding::error(format!("the parameter rule must have a number as {name}"))),
    };
    let (wide, high) = (expected("width")?, expected("height")?);
    if wide.is_none() && high.is_none() && case.rules == Rules::Standard {
        return Err(Finding::error("the parameter rule must have width, height or both"));
    }
    let bytes = case.made(path)?;
    let (width, height) = Picture::size(&bytes).map_err(|reason| match case.rules {
        Rules::Standard => Finding::Fail(format!("{path} {reason}")),
        Rules::Code => Finding::Error(format!("{path} {reason}")),
    })?;
    for (name, found, expected) in [("width", width, wide), ("height", height, high)] {
        if let Some(expected) = expected
            && f64::from(found) != expected
        {
            let sentence = format!("the {name} of {path} is {found}, expected is {expected}");
            return Err(Finding::Fail(sentence));
        }
    }
    Ok(())
}

/// The file has fewer bytes than the `max_size` of the rule (`AgentStudio`, section 5 of the rules).
pub(super) fn file_size(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let most = rule(params)?.get("max_size").and_then(Value::as_f64);
    let most = most.ok_or_else(|| Finding::error("the parameter rule must have a number as max_size"))?;
    let path = params.text("src_path")?;
    let size = case.made(path)?.len();
    #[expect(clippy::cast_precision_loss, reason = "files have fewer than 2^53 bytes")]
    if (size as f64) < most {
        return Ok(());
    }
    Err(Finding::fail(format!("{path} has {size} bytes, expected is below {most}")))
}
