//! The engines side by side: the same episodes of a random player, frame after frame.

use super::grf::{EngineFailure, RealGame};
use super::sim::{DIFFICULTY, Game, Setup};
use super::world::Settings;
use super::{
    EngineAction, Football, GameEngine, Program, Purpose, Random, RewardRules, Scene, SkipRules, Umpire,
    scene, world,
};
use mageyard_domain::{Clocks, EngineComparison, EngineSpeed, EngineSpeeds, Level, OptionError, Options};

impl EngineComparison for Football {
    fn compare(
        &self,
        level: &Level,
        options: &Options,
        clocks: &Clocks<'_>,
    ) -> Result<EngineSpeeds, OptionError> {
        let settings = Settings::read(options)?;
        let scene = scene::read_one(level.text())
            .map_err(|error| OptionError { name: "level".into(), why: error.to_string() })?;
        let is_named = settings.engine == world::Engine::Grf || !settings.program.python.is_empty();
        let real = if is_named {
            grf(&settings.program, &scene, clocks).map_err(|failure| failure.to_string())
        } else {
            Err("not compared: the setting football.python names no interpreter that has it".to_owned())
        };
        Ok(vec![(world::Engine::Lite.name(), Ok(lite(&scene, clocks))), (world::Engine::Grf.name(), real)])
    }
}

fn lite(scene: &Scene, clocks: &Clocks<'_>) -> EngineSpeed {
    let episode = |seed| {
        let mut game = Game::new(scene, Setup { seed, difficulty: DIFFICULTY });
        play(&mut game, seed)
    };
    let Ok(speed) = measure(clocks, episode);
    let version = concat!("mageyard ", env!("CARGO_PKG_VERSION")).to_owned();
    EngineSpeed { version, memory: size_of::<Game>() as u64, ..speed }
}

/// Starting the process is not measured.
fn grf(program: &Program, scene: &Scene, clocks: &Clocks<'_>) -> Result<EngineSpeed, EngineFailure> {
    let mut game = RealGame::start(program, scene, 0)?;
    let before = game.usage()?;
    let speed = measure(clocks, |seed| {
        game.load(scene, seed)?;
        play(&mut game, seed)
    })?;
    let used = game.usage()?;
    let own = used.cpu.saturating_sub(before.cpu);
    let version = format!("gfootball {}", game.report().version);
    Ok(EngineSpeed { version, cpu: speed.cpu + own, memory: used.memory, ..speed })
}

/// Plays an episode of a player who chooses each of the agent's actions as often, for one frame each. Returns the number
/// of frames.
fn play<E: GameEngine>(game: &mut E, seed: u64) -> Result<u32, E::Failure> {
    let mut umpire = Umpire::new(game.state(), (RewardRules::Coded, SkipRules::Off));
    let mut random = Random::new(seed);
    while umpire.ending().is_none() {
        let count = u8::try_from(EngineAction::AGENT.len()).unwrap_or(u8::MAX);
        let chosen = EngineAction::AGENT[usize::from(random.below(Purpose::Policy, 0, count))];
        umpire.decide(chosen, |action| game.frame(action))?;
    }
    Ok(umpire.frames())
}

/// Plays episodes, each by its seed, for the least duration.
fn measure<E>(clocks: &Clocks<'_>, mut episode: impl FnMut(u64) -> Result<u32, E>) -> Result<EngineSpeed, E> {
    let wall = (clocks.wall)();
    let cpu = (clocks.cpu)();
    let mut frames = 0;
    for seed in 0.. {
        frames += episode(seed)?;
        if (clocks.wall)().saturating_sub(wall) >= clocks.least {
            break;
        }
    }
    let wall = (clocks.wall)().saturating_sub(wall);
    let cpu = (clocks.cpu)().saturating_sub(cpu);
    Ok(EngineSpeed { version: String::new(), frames, wall, cpu, memory: 0 })
}
