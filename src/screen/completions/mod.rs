//! Completions of the palette: commands by name, then their arguments, best match first.

mod verbs;

use std::sync::Arc;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::action_arguments;
use crate::command::{
    Argument, Command, FAMILIES, Family, Group, ScreenView, commands_in, find_command, find_family, is_listed,
};
use crate::keymap::{action_key_name, join_keys};
use crate::model::{Completion, EpisodeView, FrameChoice, Model, Palette, ShownPage};
use crate::settings::changeable;
use crate::tutor::Lesson;
use mageyard_config::{LinkSetting, PictureForm};
use mageyard_domain::{ActionSpec, Picture};
use mageyard_engine::{Mark, MarkSet, StepExport, condition_names};
use mageyard_terminal::count_of;

/// Columns of what a command does, in the list of all of them.
const BRIEF_WIDTH: usize = 26;

/// The completions of the input, best match first.
pub(crate) fn completions(model: &Model, palette: &Palette) -> Vec<Completion> {
    let input = palette.input().trim_start();
    let is_action = |word: &str| played_specs(model).iter().any(|spec| spec.name == word);
    let family = input.split_once(' ').filter(|(word, _)| !is_action(word));
    if let Some((family, rest)) = family.and_then(|(word, rest)| Some((find_family(word)?, rest))) {
        return of_family(model, family, rest);
    }
    match input.split_once(' ') {
        Some((word, rest)) => match find_command(word) {
            Some(command) if command.argument == Argument::Action => {
                let values = action_arguments::completions(action_specs(model), rest);
                values.map_or_else(
                    || arguments(model, command.argument, word, rest),
                    |values| prefixed(&format!("{word} "), values),
                )
            }
            Some(command) => arguments(model, command.argument, word, rest),
            None => played(model, input),
        },
        None => commands(model, input),
    }
}

/// The commands, those of a family as one, by what they are for; once something is typed, every command by its name too.
fn commands(model: &Model, typed: &str) -> Vec<Completion> {
    let recent = model.typed.recent.iter().filter(|_| typed.is_empty());
    let recent = recent.map(|line| (line.clone(), line.clone(), "recent".to_owned()));
    let listed = Group::OF_EPISODE.into_iter().flat_map(|group| {
        let rows = commands_in(ScreenView::Episode).filter(move |row| row.group == group && is_listed(row));
        let families = FAMILIES.iter().filter(move |family| family.group() == group);
        rows.map(command_row).chain(families.map(family_row)).map(move |(name, line, brief)| {
            let help = format!("{brief:<BRIEF_WIDTH$}  {}", group.title());
            (name, line, help)
        })
    });
    let by_name = |row: &&Command| !typed.is_empty() && !is_listed(row) && find_family(row.name).is_none();
    let by_name = commands_in(ScreenView::Episode).filter(by_name).map(command_row);
    let played = played_specs(model).iter().map(|spec| {
        let space = if spec.params.is_empty() { "" } else { " " };
        (spec.name.clone(), format!("{}{space}", spec.name), action_help(spec))
    });
    let settings = changeable(model).filter(|row| !typed.is_empty() && find_command(row.name).is_none());
    let settings = settings.map(|row| (row.name.to_owned(), format!("set {}=", row.name), row.about()));
    let mut offers = rank(typed, recent.chain(listed).chain(by_name).chain(settings).chain(played));
    for offer in &mut offers {
        offer.keys = find_command(&offer.label).map(|row| join_keys(&model.keys(row.id))).unwrap_or_default();
    }
    offers
}

fn command_row(row: &'static Command) -> (String, String, String) {
    let space = if row.argument == Argument::None { "" } else { " " };
    (row.name.to_owned(), format!("{}{space}", row.name), row.brief.to_owned())
}

fn family_row(family: &'static Family) -> (String, String, String) {
    (family.name.to_owned(), format!("{} ", family.name), family.brief.to_owned())
}

/// The words of a family, and what the command of its name takes; after a word what that takes.
fn of_family(model: &Model, family: &'static Family, typed: &str) -> Vec<Completion> {
    let name = family.name;
    if let Some((word, rest)) = typed.trim_start().split_once(' ') {
        let member = family.members().find(|(known, _)| *known == word);
        if let Some((_, command)) = member {
            return arguments(model, command.argument, &format!("{name} {word}"), rest);
        }
    }
    let members = family.members().map(|(word, command)| {
        let space = if command.argument == Argument::None { "" } else { " " };
        (word.to_owned(), format!("{name} {word}{space}"), command.brief.to_owned())
    });
    let mut offers = rank(typed.trim(), members);
    for offer in &mut offers {
        let member = family.members().find(|(word, _)| *word == offer.label);
        offer.keys = member.map(|(_, command)| join_keys(&model.keys(command.id))).unwrap_or_default();
    }
    let own = find_command(name).map(|command| arguments(model, command.argument, name, typed));
    own.unwrap_or_default().into_iter().chain(offers).collect()
}

/// The actions that the person at the screen plays.
fn played_specs(model: &Model) -> &[ActionSpec] {
    let playing = model.episode().filter(|viewed| viewed.is_human() && !viewed.is_over());
    playing.map_or(&[], EpisodeView::action_specs)
}

/// The completions of a line that begins with the name of an action.
fn played(model: &Model, typed: &str) -> Vec<Completion> {
    let specs = played_specs(model);
    action_arguments::completions(specs, typed).unwrap_or_else(|| {
        let names = specs.iter().map(|spec| (spec.name.clone(), spec.name.clone(), action_help(spec)));
        rank(typed, names)
    })
}

/// The key and the help of an action.
fn action_help(spec: &ActionSpec) -> String {
    let key = spec.key.as_ref().and_then(|key| action_key_name(key));
    key.map_or_else(|| spec.help.clone(), |key| format!("{key} · {}", spec.help))
}

/// The suites, or only those of the user, to which a step can be added.
fn suites(model: &Model, own: bool) -> Vec<(String, String)> {
    let rows = model.suites.iter().filter(|row| row.is_own || !own);
    rows.map(|row| (row.name.clone(), row.facts.join(" · "))).collect()
}

/// The agents that can be seated.
fn seats(model: &Model) -> Vec<(String, String)> {
    let all = model.episode().into_iter().flat_map(|viewed| viewed.snapshot.run.seats.iter());
    all.filter(|choice| choice.refusal.is_none())
        .map(|choice| (choice.name.clone(), choice.summary.clone()))
        .collect()
}

/// The tags in use, those of the step marked.
fn tags(model: &Model) -> Vec<(String, String)> {
    let Some(viewed) = model.episode() else { return Vec::new() };
    let has =
        |name: &str| viewed.shown_annotations().is_some_and(|own| own.tag_names().any(|own| own == name));
    let help = |name: &str| if has(name) { "this step has it" } else { "in use" }.to_owned();
    viewed.annotations.known_tags.iter().map(|name| (name.clone(), help(name))).collect()
}

/// The tags or the comments of the shown step.
fn own_annotations(model: &Model, argument: Argument) -> Vec<String> {
    let Some(own) = model.episode().and_then(EpisodeView::shown_annotations) else { return Vec::new() };
    let texts = if argument == Argument::OwnTag { &own.tags } else { &own.comments };
    texts.iter().map(|known| known.text.clone()).collect()
}

fn action_specs(model: &Model) -> &[ActionSpec] {
    model.episode().map_or(&[], EpisodeView::action_specs)
}

fn prefixed(before: &str, offers: Vec<Completion>) -> Vec<Completion> {
    offers.into_iter().map(|offer| Completion { line: format!("{before}{}", offer.line), ..offer }).collect()
}

fn arguments(model: &Model, argument: Argument, word: &str, typed: &str) -> Vec<Completion> {
    let (before, last) = match argument {
        Argument::Changes
        | Argument::Asked
        | Argument::Blamed
        | Argument::Diagnosed
        | Argument::Probed
        | Argument::Suite => typed.rfind(' ').map_or(("", typed), |at| typed.split_at(at + 1)),
        Argument::Breaks | Argument::Condition => {
            typed.rfind([',', ' ', ';', '(']).map_or(("", typed), |at| typed.split_at(at + 1))
        }
        Argument::Actions | Argument::Marks => {
            typed.rfind(',').map_or(("", typed), |comma| typed.split_at(comma + 1))
        }
        _ => ("", typed),
    };
    let plain = |names: Vec<String>| names.into_iter().map(|name| (name, String::new())).collect();
    let rows: Vec<(String, String)> = match argument {
        Argument::Level => plain(model.names.levels.clone()),
        Argument::Theme => plain(model.names.themes.clone()),
        Argument::Prompt => plain(prompts(model)),
        Argument::Extract => plain(StepExport::ALL.map(|extract| extract.name().to_owned()).to_vec()),
        Argument::Action | Argument::Actions => actions(model),
        Argument::Marks => marks(model, before.is_empty()),
        Argument::Breaks => {
            let all = condition_names().into_iter().chain([("none", "no breakpoints")]);
            all.map(|(name, help)| (name.to_owned(), help.to_owned())).collect()
        }
        Argument::Edited => {
            let texts = model.agent.code.iter().flat_map(|code| &code.texts).map(|text| text.name.clone());
            plain(
                ["reply", "action", "prompt", "hint", "state"]
                    .map(String::from)
                    .into_iter()
                    .chain(texts)
                    .collect(),
            )
        }
        Argument::Hint => vec![("none".to_owned(), "removes the hint".to_owned())],
        Argument::Changes => verbs::changes(model),
        Argument::Asked => verbs::asked(model),
        Argument::Blamed => verbs::blamed(),
        Argument::Diagnosed => named_or(model, before, verbs::diagnosed()),
        Argument::Probed => named_or(model, before, verbs::probed()),
        Argument::Suite if before.is_empty() => suites(model, false),
        Argument::Suite => verbs::asked_of_suite(model),
        Argument::SuiteStep => {
            suites(model, true).into_iter().map(|(name, help)| (format!("add {name}"), help)).collect()
        }
        Argument::Candidates => plain(["3", "5", "10"].map(String::from).to_vec()),
        Argument::Seat => seats(model),
        Argument::Picture => pictures(model),
        Argument::Form => plain(
            ["auto"].into_iter().chain(PictureForm::ALL.map(PictureForm::name)).map(String::from).collect(),
        ),
        Argument::Lesson => lessons(),
        Argument::Switch => plain(["on", "off"].map(String::from).to_vec()),
        Argument::Link => plain(LinkSetting::ALL.map(|link| link.name().to_owned()).to_vec()),
        Argument::View => views(model),
        Argument::Factor => plain(["1", "2", "4", "8", "16"].map(String::from).to_vec()),
        Argument::Condition => {
            condition_names().into_iter().map(|(name, help)| (name.to_owned(), help.to_owned())).collect()
        }
        Argument::Setting => changeable(model).map(|row| (format!("{}=", row.name), row.about())).collect(),
        Argument::Tag => tags(model),
        Argument::OwnTag | Argument::OwnComment => plain(own_annotations(model, argument)),
        Argument::Compared if word == "diff" => plain(vec!["last".to_owned(), "repeats".to_owned()]),
        Argument::Compared => plain(vec!["last".to_owned()]),
        Argument::None | Argument::Step | Argument::Text => Vec::new(),
    };
    let line = |name: &str| format!("{word} {before}{name}");
    rank(last.trim(), rows.into_iter().map(|(name, help)| (name.clone(), line(&name), help)))
}

/// The marks, first all errors of the episode together, then single marks: errors before others, and those that no step has
/// last.
fn marks(model: &Model, is_first: bool) -> Vec<(String, String)> {
    let faults = model.episode().map(|viewed| viewed.snapshot.error_analysis.clone()).unwrap_or_default();
    let mut listed: Vec<Mark> = faults.listed().collect();
    listed.sort_by_key(|mark| (faults.count(*mark) == 0, !mark.is_error()));
    let errors: Vec<Mark> =
        listed.iter().copied().filter(|mark| mark.is_error() && faults.count(*mark) > 0).collect();
    let together = (is_first && errors.len() > 1).then(|| {
        let names = errors.iter().map(|mark| mark.name()).collect::<Vec<_>>().join(",");
        let has_error = |marks: &&MarkSet| errors.iter().any(|mark| marks.has(*mark));
        let steps = faults.marks().iter().filter(has_error).count();
        (names, format!("all errors: {}", count_of(steps, "step")))
    });
    let marks = listed.into_iter().map(|mark| {
        let count = count_of(faults.count(mark), "step");
        (mark.name().to_owned(), format!("{}: {count}", mark.title()))
    });
    together.into_iter().chain(marks).chain([("any".to_owned(), "steps with any mark".to_owned())]).collect()
}

fn prompts(model: &Model) -> Vec<String> {
    let prompts = model.episode().map(|viewed| viewed.snapshot.requests.prompts.iter());
    prompts.into_iter().flatten().map(|prompt| prompt.name.clone()).collect()
}

/// The lessons of the tutor with what they teach.
/// The suites where a name is typed first, and these names.
fn named_or(model: &Model, before: &str, names: Vec<(String, String)>) -> Vec<(String, String)> {
    let suites = if before.is_empty() { suites(model, false) } else { Vec::new() };
    suites.into_iter().chain(names).collect()
}

fn lessons() -> Vec<(String, String)> {
    let lessons = Lesson::all().unwrap_or_default();
    let rows = lessons.iter().map(|lesson| (lesson.name().to_owned(), lesson.summary().to_owned()));
    rows.chain([("off".to_owned(), "leave the tutor".to_owned())]).collect()
}

/// The forms of the frame, with the title of the page.
fn views(model: &Model) -> Vec<(String, String)> {
    let page = model.shown_page().map(ShownPage::label).unwrap_or_default();
    let names = model.frame_choices().into_iter().map(FrameChoice::name);
    names.map(|name| (name.to_owned(), page.clone())).collect()
}

/// The numbers of the step's pictures with their sizes, or of the pages of the views with their titles.
fn pictures(model: &Model) -> Vec<(String, String)> {
    if let (Some(_), Some(details)) = (model.shown_page(), model.details()) {
        let pages = (1..).zip(&details.pages);
        return pages.map(|(number, page): (usize, _)| (number.to_string(), page.title.clone())).collect();
    }
    let step = model.episode().and_then(EpisodeView::step);
    let images = step.into_iter().flat_map(|step| step.observation.images()).enumerate();
    let row = |(at, (_, picture)): (usize, (u16, &Arc<Picture>))| {
        ((at + 1).to_string(), format!("{}×{} px", picture.width(), picture.height()))
    };
    images.map(row).collect()
}

fn actions(model: &Model) -> Vec<(String, String)> {
    action_specs(model).iter().map(|spec| (spec.name.clone(), action_help(spec))).collect()
}

/// The matching rows, best first; all rows in their own order for empty input.
fn rank(typed: &str, rows: impl Iterator<Item = (String, String, String)>) -> Vec<Completion> {
    let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
    let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
    let mut scored: Vec<(u32, Completion)> = rows
        .filter_map(|(name, line, help)| {
            let mut buffer = Vec::new();
            let mut hits = Vec::new();
            let score = pattern.indices(Utf32Str::new(&name, &mut buffer), &mut matcher, &mut hits)?;
            hits.sort_unstable();
            let exact = u32::from(name == typed) * 10_000;
            let keys = String::new();
            Some((
                score + exact,
                Completion { line, label: name, matched: hits, help, keys, is_partial: false },
            ))
        })
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, offer)| offer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn offered(typed: &str) -> Vec<String> {
        let mut model = testing::model(120, 40);
        model.names.levels =
            ["sokoban/mini/1", "sokoban/mini/8", "sokoban/full/18"].map(String::from).to_vec();
        model.names.themes = vec!["dark".into(), "light".into()];
        completions(&model, &Palette::with(typed.into())).into_iter().map(|offer| offer.line).collect()
    }

    #[test]
    fn the_best_match_is_first() {
        assert_eq!(offered("step")[0], "step");
        assert_eq!(offered("ope")[0], "open ");
        assert_eq!(offered("open mini8"), ["open sokoban/mini/8"]);
        assert_eq!(offered("theme l")[0], "theme light");
        assert_eq!(offered("plan Up,Le")[0], "plan Up,Left");
        let listed = commands_in(ScreenView::Episode).filter(|row| is_listed(row)).count() + FAMILIES.len();
        assert_eq!(offered("").len(), listed);
        assert_eq!(offered("focus ag"), ["focus agent"]);
        assert_eq!(offered("screen link s")[0], "screen link slow");
        assert_eq!(offered("focus-ag")[0], "focus-agent");
        assert!(offered("qqqq").is_empty() && offered("nonsense x").is_empty());
    }

    #[test]
    fn complete_input_is_submitted_unchanged() {
        let line = |typed: &str| {
            let palette = Palette::with(typed.into());
            palette.line(&completions(&testing::model(80, 24), &palette))
        };
        assert_eq!((line("42").as_str(), line("step").as_str()), ("42", "step"));
        assert_eq!(line("aband"), "abandon");
        assert_eq!(line("open my/file.xsb#3"), "open my/file.xsb#3");
        assert_eq!((line("").as_str(), line("plan Up,").as_str()), ("", "plan Up,"));
    }
}
