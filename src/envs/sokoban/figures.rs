//! Published scores and errors. They were measured on the levels of the paper, which are others than those shipped here.

use mageyard_domain::Setting::{Global, Online};
use mageyard_domain::{PublishedErrors, PublishedFigure, Setting};

/// The scores, the mini set first (`MageBench`, main table and memory ablation).
#[rustfmt::skip]
pub(super) const FIGURES: &[PublishedFigure] = &[
    mini("human", Global, 83.63),
    mini("human", Online, 96.85),
    mini("GPT-4o", Global, 46.09),
    mini("GPT-4o", Online, 53.03),
    mini("Gemini-1.5-pro", Global, 46.13),
    mini("Gemini-1.5-pro", Online, 51.84),
    mini("random", Global, 46.61),
    mini("random", Online, 46.61),
    mini("idle", Global, 41.18),
    mini("idle", Online, 41.18),
    ablation("GPT-4o", 1, 1, 53.508),
    ablation("GPT-4o", 5, 1, 53.417),
    ablation("GPT-4o", 5, 2, 52.242),
    ablation("GPT-4o", 5, 3, 53.392),
    ablation("GPT-4o", 10, 1, 52.458),
    ablation("GPT-4o", 10, 2, 54.350),
    ablation("GPT-4o", 10, 3, 53.325),
    ablation("o4-mini", 1, 1, 58.425),
    ablation("o4-mini", 5, 1, 58.992),
    ablation("o4-mini", 5, 3, 59.739),
    ablation("GPT-5", 1, 1, 57.313),
    ablation("GPT-5", 5, 1, 58.244),
    ablation("GPT-5", 5, 3, 58.302),
    ablation("Operator", 1, 1, 59.231),
    ablation("Operator", 5, 1, 60.425),
    ablation("Operator", 5, 3, 63.071),
    ablation("UI-TARS-1.5-7B", 1, 1, 50.128),
    ablation("UI-TARS-1.5-7B", 5, 1, 53.305),
    ablation("UI-TARS-1.5-7B", 5, 3, 55.711),
    full("GPT-4o", Global, 47.46),
    full("GPT-4o", Online, 48.63),
    full("Gemini-1.5-pro", Global, 47.65),
    full("Gemini-1.5-pro", Online, 48.33),
    full("random", Global, 47.40),
    full("random", Online, 47.40),
    full("idle", Global, 45.60),
    full("idle", Online, 45.60),
];

/// IA and RA on the mini set (`MageBench`, error analysis).
#[rustfmt::skip]
pub(super) const ERRORS: &[PublishedErrors] = &[
    errors("GPT-4o", Global, 0.0, 5.0),
    errors("GPT-4o", Online, 0.0, 6.7),
    errors("Gemini-1.5-pro", Global, 15.0, 3.3),
    errors("Gemini-1.5-pro", Online, 25.0, 0.0),
    errors("Claude-3.5-Sonnet", Global, 0.0, 6.7),
    errors("Claude-3.5-Sonnet", Online, 0.0, 1.7),
    errors("InternVL2-76B", Global, 0.0, 5.0),
    errors("InternVL2-76B", Online, 5.0, 80.0),
    errors("LLaVA-1.5", Global, 0.0, 3.3),
    errors("LLaVA-1.5", Online, 5.0, 35.0),
    errors("MiniCPM", Global, 0.0, 6.5),
    errors("MiniCPM", Online, 0.0, 33.3),
    errors("Phi-3-V", Global, 0.0, 0.0),
    errors("Phi-3-V", Online, 0.0, 23.3),
];

const fn mini(agent: &'static str, setting: Setting, score: f64) -> PublishedFigure {
    PublishedFigure { agent, level_set: "mini", setting, window: None, score }
}

const fn full(agent: &'static str, setting: Setting, score: f64) -> PublishedFigure {
    PublishedFigure { level_set: "full", ..mini(agent, setting, score) }
}

/// A figure of the memory ablation.
const fn ablation(agent: &'static str, am: u16, om: u16, score: f64) -> PublishedFigure {
    PublishedFigure { window: Some((am, om)), ..mini(agent, Online, score) }
}

const fn errors(agent: &'static str, setting: Setting, invalid: f64, repeated: f64) -> PublishedErrors {
    PublishedErrors { agent, setting, invalid, repeated }
}
