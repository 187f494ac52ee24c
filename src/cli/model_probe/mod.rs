//! `doctor --model`: what a model server supports, as findings, and the settings that would avoid its errors.

mod fix;

pub(super) use self::fix::apply as apply_fixes;
use super::finding::Finding;
use super::runtime::single_thread_runtime;
use mageyard_agents::{RequestLimits, SuggestedSetting};
use mageyard_config::{Config, Problem};
use mageyard_lab::{
    AbilityResult, AbilityVerdict, Lab, model_preset, model_route, request_limits, server_abilities,
    unix_time,
};

/// The findings, and the settings that the failed ones suggest.
pub(super) fn findings(lab: &Lab, config: &Config) -> (Vec<Finding>, Vec<SuggestedSetting>) {
    let mut findings = vec![
        Finding::of("model, proxy", model_route(lab, config)),
        limits(lab, config).unwrap_or_else(|problem| Finding::fail("model, limits", problem)),
    ];
    findings.extend(preset(lab, config));
    match abilities(lab, config) {
        Ok((more, settings)) => {
            findings.extend(more);
            (findings, settings)
        }
        Err(problem) => {
            findings.push(Finding::fail("model", problem));
            (findings, Vec::new())
        }
    }
}

/// The preset of the model, if one is applied.
fn preset(lab: &Lab, config: &Config) -> Option<Finding> {
    let preset = match model_preset(lab, config) {
        Ok(preset) => preset?,
        Err(problem) => return Some(Finding::fail("model, preset", problem)),
    };
    let detail = format!("{}: {}", preset.name, preset.summary());
    if preset.kept.is_empty() {
        return Some(Finding::ok("model, preset", detail));
    }
    let advice =
        "remove these settings from your files, flags and variables if the server refuses the fields";
    Some(Finding::warn("model, preset", detail, advice))
}

fn abilities(lab: &Lab, config: &Config) -> Result<(Vec<Finding>, Vec<SuggestedSetting>), Problem> {
    let runtime = single_thread_runtime().map_err(super::exit::Failure::into_problem)?;
    let seed = u64::try_from(unix_time().as_nanos() % u128::from(u64::MAX)).unwrap_or_default();
    let abilities = runtime.block_on(server_abilities(lab, config, seed));
    let abilities = abilities.map_err(|problem| problem.with_help("use `mageyard doctor --model NAME`"))?;
    let settings = abilities.results.iter().filter_map(|result| result.setting.clone()).collect();
    let mut findings: Vec<Finding> = abilities.results.iter().map(finding).collect();
    let requests = match abilities.requests {
        1 => "1 request was sent".to_owned(),
        count => format!("{count} requests were sent"),
    };
    findings.push(Finding::ok("model, requests", requests));
    if let Some(why) = abilities.stopped {
        let failed = findings.iter().position(|finding| finding.detail.ends_with(&why));
        let failed = failed.map(|index| findings.remove(index));
        let (name, ability) = failed.map_or(("model".to_owned(), None), |row| (row.name, row.ability));
        findings.push(Finding::fail(name, Problem::new(why)).of_ability(ability));
    }
    Ok((findings, settings))
}

fn finding(result: &AbilityResult) -> Finding {
    let AbilityResult { ability, verdict, detail, advice, .. } = result;
    let name = format!("model, {ability}");
    let words = match verdict {
        AbilityVerdict::Works => "works",
        AbilityVerdict::NotSeen => "not seen",
        AbilityVerdict::Refused => "refused",
        AbilityVerdict::NotReported => "not reported",
        AbilityVerdict::NotTested => "not tested",
    };
    let detail = if detail.is_empty() { words.to_owned() } else { format!("{words}: {detail}") };
    let finding = match advice {
        Some(advice) => Finding::warn(name, detail, advice),
        None => Finding::ok(name, detail),
    };
    finding.of_ability(Some(*verdict))
}

/// The limits in the settings, and whether the frames respect them.
fn limits(lab: &Lab, config: &Config) -> Result<Finding, Problem> {
    let RequestLimits { images, side, resolution } = request_limits(lab, config)?;
    let most = |most: Option<u32>, what: &str| {
        most.map_or_else(|| format!("any {what}"), |most| format!("at most {most} {what}"))
    };
    let sent = resolution.map_or_else(|| "at their original size".to_owned(), |edge| format!("at {edge} px"));
    let found = format!("{}, {}; frames are sent {sent}", most(images, "images"), most(side, "px a side"));
    Ok(match (side, resolution) {
        (Some(side), Some(edge)) if edge > side => {
            Finding::warn("model, limits", found, "set model.resolution to model.side_most or less")
        }
        _ => Finding::ok("model, limits", found),
    })
}
