//! What Sokoban offers beyond what every environment has.

use std::sync::atomic::AtomicBool;

use super::oracle::Oracle;
use super::{
    Room, Sokoban, dead_state, figures, formats, generator, inspector, options, probes, prompt_import,
    room_view, rules, state_editor, xsb,
};
use mageyard_domain::{
    Capabilities, Glyph, Level, LevelFiles, Observation, Options, Perception, Policies, Presentation,
    PublishedFigures, Reference, Scoring, Tools, TrainingRewards,
};

pub(super) static CAPABILITIES: Capabilities = Capabilities {
    scoring: &Sokoban,
    published: PublishedFigures {
        order: 2,
        scores: figures::FIGURES,
        errors: figures::ERRORS,
        deviations: figures::DEVIATIONS,
        tables: &[],
        prompts: Some(&prompt_import::PROMPTS),
    },
    files: LevelFiles {
        formats: formats::FORMATS,
        notes: xsb::file_notes,
        checkout_import: Some(&Sokoban),
        ..LevelFiles::NONE
    },
    tools: Tools {
        solver: Some(&Sokoban),
        generator: Some(&Sokoban),
        statistics: Some(&Sokoban),
        state_editor: Some(&state_editor::BoardEditor),
        benchmarks: Some(&Sokoban),
        ..Tools::NONE
    },
    policies: Policies { oracle: Some(|| Box::new(Oracle::default())), ..Policies::NONE },
    presentation: Presentation {
        glyphs: &[
            ('#', Glyph::Obstacle),
            ('$', Glyph::Object),
            ('*', Glyph::ObjectOnGoal),
            ('.', Glyph::Goal),
            ('@', Glyph::Agent),
            ('+', Glyph::AgentOnGoal),
            (' ', Glyph::Floor),
        ],
        glyph_name,
        inspector: Some(&inspector::Inspector),
        picture_legend: |options| options::tile_style(options).legend(),
        ..Presentation::NONE
    },
    perception: Perception {
        views: room_view::VIEWS,
        show: room_view::show,
        probes: Some(&probes::RoomProbes),
    },
    ..Capabilities::NONE
};

/// What the signs of a board are called.
fn glyph_name(glyph: Glyph) -> &'static str {
    match glyph {
        Glyph::Agent => "player",
        Glyph::AgentOnGoal => "player on a target",
        Glyph::Goal => "target",
        Glyph::Object => "box",
        Glyph::ObjectOnGoal => "box on a target",
        Glyph::Obstacle => "wall",
        other => other.name(),
    }
}

impl Scoring for Sokoban {
    fn score_range(&self) -> Option<[f64; 2]> {
        Some([0.0, super::FULL_SCORE])
    }

    fn reference(&self, level: &Level, options: &Options, stop: &AtomicBool) -> Option<Reference> {
        Room::new(level, options).ok()?.reference(stop)
    }

    fn published_reference(&self, level: &Level) -> Option<Reference> {
        let published = xsb::notes_of(level.text()).published?;
        Some(Reference { best: rules::points(published.tenths), steps: published.moves })
    }

    /// Such as `small-v0`, or rows, columns and boxes of other shapes.
    fn level_group(&self, level: &Level) -> Option<String> {
        generator::Group::shape_name(level)
    }

    fn metrics(&self) -> &'static [&'static str] {
        &["boxes_on_target"]
    }

    fn dead_state_reason(&self, seen: &Observation) -> Option<String> {
        dead_state::dead_reason(seen)
    }

    /// In units of gym-sokoban: 1 for a box moved onto a target, 10 for the last.
    fn training_rewards(&self) -> Option<TrainingRewards> {
        Some(TrainingRewards { step: rules::points(rules::STEP_COST), per_unit: rules::POINTS_PER_UNIT })
    }
}
