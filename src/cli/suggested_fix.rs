//! `doctor --fix`: writes suggested settings into the project's settings file and shows what changed.

use super::finding::Finding;
use mageyard_agents::SuggestedSetting;
use mageyard_config::{Config, Origin, Problem, SettingEdit, edit_project_setting};
use mageyard_engine::AtomicFile;

/// Writes the settings, the first of each name; one finding each.
pub(crate) fn apply(config: &Config, settings: &[SuggestedSetting]) -> Vec<Finding> {
    let mut written: Vec<&str> = Vec::new();
    let mut findings = Vec::new();
    for setting in settings {
        if written.contains(&setting.name) {
            continue;
        }
        written.push(setting.name);
        let name = format!("fix, {}", setting.name);
        findings.push(write(config, setting).unwrap_or_else(|problem| Finding::fail(name, problem)));
    }
    if findings.is_empty() {
        findings.push(Finding::ok("fix", "no setting would help"));
    }
    findings
}

fn write(config: &Config, setting: &SuggestedSetting) -> Result<Finding, Problem> {
    let edit = edit_project_setting(config.folders(), setting.name, &setting.value)?;
    let path = config.folders().project_file();
    let failed =
        |error: std::io::Error| Problem::new(format!("{} cannot be written: {error}", path.display()));
    AtomicFile::stage(&path, edit.text.as_bytes())
        .and_then(AtomicFile::synced)
        .map_err(failed)?
        .replace()
        .map_err(failed)?;
    let name = format!("fix, {}", setting.name);
    let detail = describe(&path.display().to_string(), &edit);
    Ok(match overriding(config, setting.name) {
        Some(origin) => Finding::warn(name, detail, &format!("{origin} overrides it")),
        None => Finding::ok(name, detail),
    })
}

/// The changed line, before and after.
fn describe(path: &str, edit: &SettingEdit) -> String {
    match &edit.before {
        Some(before) => format!("{path}:{}: replaced - {before} + {}", edit.line, edit.after),
        None => format!("{path}:{}: added + {}", edit.line, edit.after),
    }
}

/// The flag, variable or profile that is stronger than the file.
fn overriding(config: &Config, name: &str) -> Option<String> {
    let row = config.resolved_settings().iter().find(|row| row.name() == name)?;
    if let Some(profile) = config.profile().filter(|profile| profile.setting(&row.key).is_some()) {
        return Some(format!("the profile {} ({})", profile.name, row.origin));
    }
    matches!(row.origin, Origin::Variable(_) | Origin::Flag(_)).then(|| row.origin.to_string())
}
