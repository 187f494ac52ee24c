//! The published means of rewards (`MageBench`, Table 1 and section 5; those of models have a deviation of about 2).

use mageyard_domain::{PublishedErrors, PublishedFigure, Setting};

/// The figures, the mini set first.
pub(super) const FIGURES: &[PublishedFigure] = &[
    mini("human", 54.68),
    mini("GPT-4o", 21.20),
    mini("Gemini-1.5-pro", 18.33),
    mini("random", 17.33),
    mini("Claude-3.5-Sonnet", 16.94),
    mini("Qwen2-VL-72B", 15.75),
    mini("InternVL2-76B", 10.50),
    mini("idle", 2.53),
    full("Gemini-1.5-pro", 19.61),
    full("GPT-4o", 17.78),
    full("random", 16.64),
    full("idle", 2.36),
];

const fn mini(agent: &'static str, score: f64) -> PublishedFigure {
    PublishedFigure { agent, level_set: "mini", setting: Setting::Online, window: None, score }
}

const fn full(agent: &'static str, score: f64) -> PublishedFigure {
    PublishedFigure { agent, level_set: "full", setting: Setting::Online, window: None, score }
}

/// IA and RA of the published error table.
pub(super) const ERRORS: &[PublishedErrors] = &[
    errors("GPT-4o", 0.0, 7.5),
    errors("Gemini-1.5-pro", 0.0, 3.0),
    errors("Claude-3.5-Sonnet", 0.0, 43.0),
    errors("InternVL2-76B", 0.0, 70.0),
    errors("LLaVA-1.5", 0.0, 25.0),
    errors("MiniCPM", 6.7, 50.0),
    errors("Phi-3-V", 0.0, 24.5),
];

const fn errors(agent: &'static str, invalid: f64, repeated: f64) -> PublishedErrors {
    PublishedErrors { agent, setting: Setting::Online, invalid, repeated }
}
