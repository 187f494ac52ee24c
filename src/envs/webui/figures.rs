//! The parts of the score that can be lost, and the published scores (`MageBench`, Table 1 and error analysis).

use mageyard_domain::{Loss, PublishedFigure, Setting};

/// The losses in the order of the published table, which has position and attributes as one.
pub const LOSSES: &[Loss] = &[
    Loss { name: "par", label: "Par" },
    Loss { name: "ren", label: "Ren" },
    Loss { name: "act", label: "Act" },
    Loss { name: "unmatched", label: "match" },
    Loss { name: "position", label: "position" },
    Loss { name: "attributes", label: "attr" },
];

/// The published means of AES in percent; those of the Online setting with the prompt HD-CoT.
pub const FIGURES: &[PublishedFigure] = &[
    mini("Claude-3.5-Sonnet", Setting::Global, 64.11),
    mini("Claude-3.5-Sonnet", Setting::Online, 62.08),
    mini("Gemini-1.5-pro", Setting::Global, 44.79),
    mini("Gemini-1.5-pro", Setting::Online, 39.30),
    mini("Llama-3.2-90B", Setting::Global, 35.09),
    mini("Llama-3.2-90B", Setting::Online, 27.47),
    mini("GPT-4o", Setting::Global, 34.28),
    mini("GPT-4o", Setting::Online, 35.50),
    mini("InternVL2-76B", Setting::Global, 16.22),
    mini("InternVL2-76B", Setting::Online, 16.76),
    mini("Phi-3.5-V", Setting::Global, 0.03),
    mini("Phi-3.5-V", Setting::Online, 11.78),
    mini("idle, random", Setting::Global, 0.0),
    mini("idle, random", Setting::Online, 0.0),
    mini("human", Setting::Global, 68.71),
    mini("human", Setting::Online, 94.32),
    full("Gemini-1.5-pro", 52.10),
    full("Llama-3.2-90B", 42.21),
    full("GPT-4o", 40.02),
];

const fn mini(agent: &'static str, setting: Setting, score: f64) -> PublishedFigure {
    PublishedFigure { agent, level_set: "mini", setting, window: None, score }
}

const fn full(agent: &'static str, score: f64) -> PublishedFigure {
    PublishedFigure { agent, level_set: "full", setting: Setting::Global, window: None, score }
}
