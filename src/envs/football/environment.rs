//! The catalog row of football: what the program asks of the environment.

use super::grf::RealFootball;
use super::world::{Engine, FootballWorld, Settings};
use super::{capabilities, scene};
use mageyard_domain::{
    Capabilities, Environment, EnvironmentSpec, Level, LevelError, LevelSet, OptionError, Options, Reference,
    ReplyFormat, Returns, Setting, from_world,
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
                summary: "20 scenes, six personal, five of teamwork, nine moments of matches",
                paper: "scenes of our own, as many of each kind as in the paper's 20, two or three in a zone",
                text: include_str!("../../../levels/football/mini.football"),
            },
            LevelSet {
                name: "full",
                summary: "108 scenes, four of each zone and kind; mini has the first of 20 of them",
                paper: "scenes of our own in zones, kinds and counts of the paper's 108; moments are simulated, not of a World Cup",
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

    /// The sum of all rewards: football has no optimum.
    fn score(&self, returns: Returns, _reference: Option<&Reference>) -> Option<f64> {
        Some(returns.sum)
    }
    fn capabilities(&self) -> &'static Capabilities {
        &capabilities::CAPABILITIES
    }
}
