//! The catalog row of football: what the program asks of the environment.

use super::grf::RealFootball;
use super::program_check::RealEngine;
use super::world::{ActionSet, Engine, FootballWorld, PictureView, Settings};
use super::{figures, inspector, mistakes, policies, scene, world};
use mageyard_domain::{
    ActionSpace, CheckoutImport, EngineComparison, Environment, EnvironmentSpec, Level, LevelCheck,
    LevelError, LevelFormat, LevelGenerator, LevelSet, Mistakes, NamedPolicy, ObservationInspector,
    OptionError, Options, ProgramCheck, PublishedErrors, PublishedFigure, Reference, ReplyFormat, Returns,
    Setting, from_world,
};

const PROMPTS: &[(&str, &str)] = &[
    ("0s-CoT", include_str!("prompts/0s-CoT.md")),
    ("HD-CoT", include_str!("prompts/HD-CoT.md")),
    ("HD-CoT-NoIMG", include_str!("prompts/HD-CoT-NoIMG.md")),
];

/// The environment `football`.
#[derive(Clone, Copy, Debug)]
pub struct Football;

impl EnvironmentSpec for Football {
    fn name(&self) -> &'static str {
        "football"
    }

    fn summary(&self) -> &'static str {
        "direct the player with the ball towards the right goal, eleven against eleven in real time"
    }

    fn file_extensions(&self) -> &'static [&'static str] {
        &["football"]
    }

    fn level_sets(&self) -> &'static [LevelSet] {
        &[
            LevelSet {
                name: "mini",
                summary: "20 scenes in the zones and kinds of MageBench's mini set",
                text: include_str!("../../../levels/football/mini.football"),
            },
            LevelSet {
                name: "full",
                summary: "108 scenes, four of each zone and kind; mini has the first of 20 of them",
                text: include_str!("../../../levels/football/full.football"),
            },
        ]
    }

    fn parse_levels(&self, text: &str) -> Result<Vec<Level>, LevelError> {
        scene::levels(text)
    }

    fn level_errors(&self, text: &str) -> Vec<LevelError> {
        scene::errors(text)
    }

    fn level_formats(&self) -> &'static [LevelFormat] {
        scene::FORMATS
    }

    fn level_check(&self) -> Option<&dyn LevelCheck> {
        Some(&scene::Check)
    }

    fn generator(&self) -> Option<&dyn LevelGenerator> {
        Some(self)
    }

    fn checkout_import(&self) -> Option<&dyn CheckoutImport> {
        Some(self)
    }

    fn open(&self, level: &Level, options: &Options, seed: u64) -> Result<Box<dyn Environment>, OptionError> {
        let settings = Settings::read(options)?;
        let scene = scene::read_one(level.text())
            .map_err(|error| OptionError { name: "level".into(), why: error.to_string() })?;
        Ok(match settings.engine {
            Engine::Lite => from_world(FootballWorld::new(&scene, &settings, seed)),
            Engine::Grf => Box::new(RealFootball::new(scene, settings, seed)),
        })
    }

    /// Online is the paper's only setting here. A Global list, a plan of decisions at the first frame, is our extension.
    fn reply_format(&self, setting: Setting) -> Option<ReplyFormat> {
        Some(match setting {
            Setting::Global => ReplyFormat::headings("### Analyze", "### Actions", true),
            Setting::Online => ReplyFormat::headings("# analyze", "# action", false),
        })
    }

    fn prompts(&self) -> &'static [(&'static str, &'static str)] {
        PROMPTS
    }

    fn setting_defaults(&self) -> &'static [(&'static str, &'static str)] {
        &[("play.max_steps", "400"), ("model.resolution", "1280"), ("model.max_tokens", "1000")]
    }

    fn constant_space(&self) -> Option<ActionSpace> {
        Some(world::space(ActionSet::Agent))
    }

    fn picture_legend(&self, options: &Options) -> &'static str {
        match Settings::read(options).unwrap_or_default().picture {
            PictureView::Board => {
                "the whole pitch is seen from above: discs are players, squares are goalkeepers, and a short nose \
                 shows where a player runs. Your team is yellow; a blue ring and a blue name mark the player whom you \
                 control. The opponents are dark blue with a white rim. The ball is white with a bright halo; a higher \
                 ball is drawn larger, away from its shadow"
            }
            PictureView::Broadcast => {
                "the pitch is seen from a camera beside it, with a small map of the whole pitch at the bottom. Your team \
                 plays in yellow, and the name of the player whom you control is blue above his head; the others are \
                 opponents"
            }
            PictureView::Engine => {
                "the pitch is seen from a camera beside it, with a small map of the whole pitch at the bottom: light dots \
                 are your team, dark dots the opponents, the blue dot is the ball. Your team plays in yellow, the opponents \
                 in dark blue; the name of the player whom you control is blue above his head"
            }
        }
    }

    fn inspector(&self) -> Option<&'static dyn ObservationInspector> {
        Some(&inspector::Inspector)
    }

    fn policies(&self) -> &'static [NamedPolicy] {
        policies::POLICIES
    }

    fn mistakes(&self) -> Option<&'static dyn Mistakes> {
        Some(&mistakes::FootballMistakes)
    }

    fn one_sided_actions(&self) -> &'static [&'static str] {
        &["action_long_pass", "action_high_pass", "action_short_pass"]
    }

    fn published_figures(&self) -> &'static [PublishedFigure] {
        figures::FIGURES
    }

    fn engine(&self, options: &Options) -> Option<&'static str> {
        Settings::read(options).ok().map(|settings| settings.engine.name())
    }

    fn programs(&self) -> &'static [&'static dyn ProgramCheck] {
        &[&RealEngine]
    }

    fn engine_comparison(&self) -> Option<&dyn EngineComparison> {
        Some(self)
    }

    fn is_local_setting(&self, name: &str) -> bool {
        world::is_local_setting(name)
    }

    fn published_errors(&self) -> &'static [PublishedErrors] {
        figures::ERRORS
    }

    /// The kind of the scene, the letter in names such as `R5_P-2`.
    fn level_group(&self, level: &Level) -> Option<String> {
        let (_, kind) = level.title.as_deref()?.split_once('_')?;
        kind.chars().next().filter(|kind| "PTR".contains(*kind)).map(String::from)
    }

    fn metrics(&self) -> &'static [&'static str] {
        &["frames"]
    }

    /// The sum of all rewards: football has no optimum.
    fn score(&self, returns: Returns, _reference: Option<&Reference>) -> Option<f64> {
        Some(returns.sum)
    }
}
