//! Published scores and errors. They were measured on the levels of the paper, which are others than those shipped here.

use mageyard_domain::PublishedResult::{self, InstructionError as Ife, Score};
use mageyard_domain::Setting::{self, Global, Online};
use mageyard_domain::{PublishedErrors, PublishedFigure};

/// What differs from the published levels.
pub(super) const DEVIATIONS: &str = "sokoban: our own levels of the same groups";

/// The scores: the mini set (`MageBench`, table 1), its memory ablation (supplement, tables 5 and 6), and the full set
/// (supplement, table 4), for which the paper states, for models, a deviation of 0.5 (Global) and 0.4 (Online).
#[rustfmt::skip]
pub(super) const FIGURES: &[PublishedFigure] = &[
    mini("Phi-3.5-V-4.2B", Global, Score(44.95)),
    mini("Phi-3.5-V-4.2B", Online, Score(44.14)),
    mini("DeepSeek-VL-7B", Global, Ife),
    mini("DeepSeek-VL-7B", Online, Ife),
    mini("Xcomposer-2.5-7B", Global, Score(45.57)),
    mini("Xcomposer-2.5-7B", Online, Score(42.28)),
    mini("MiniCPM-V2.6-8B", Global, Score(42.52)),
    mini("MiniCPM-V2.6-8B", Online, Score(42.36)),
    mini("LLaVA-v1.5-13B", Global, Score(46.28)),
    mini("LLaVA-v1.5-13B", Online, Score(42.59)),
    mini("Llava-1.6-34B", Global, Score(43.19)),
    mini("Llava-1.6-34B", Online, Score(43.47)),
    mini("Yi-VL-34B", Global, Ife),
    mini("Yi-VL-34B", Online, Ife),
    mini("Qwen2-vl-72B", Global, Score(46.21)),
    mini("Qwen2-vl-72B", Online, Score(43.22)),
    mini("NVLM-72B", Global, Score(43.46)),
    mini("NVLM-72B", Online, Score(44.07)),
    mini("InternVL2-76B-LLaMA3", Global, Score(44.56)),
    mini("InternVL2-76B-LLaMA3", Online, Score(43.58)),
    mini("Llama-3.2-90B-Vision-Instruct", Global, Score(45.80)),
    mini("Llama-3.2-90B-Vision-Instruct", Online, Ife),
    mini("Claude-3.5-Sonnet", Global, Score(48.26)),
    mini("Claude-3.5-Sonnet", Online, Score(45.35)),
    mini("Gemini-1.5-pro", Global, Score(46.13)),
    mini("Gemini-1.5-pro", Online, Score(51.84)),
    mini("GPT-4o", Global, Score(46.09)),
    mini("GPT-4o", Online, Score(53.03)),
    mini("idle", Global, Score(41.18)),
    mini("idle", Online, Score(41.18)),
    mini("random", Global, Score(46.61)),
    mini("random", Online, Score(46.61)),
    mini("human", Global, Score(83.63)),
    mini("human", Online, Score(96.85)),
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
    full("InternVL2-1B", Global, Score(46.01)),
    full("InternVL2-1B", Online, Score(46.06)),
    full("Xcomposer-2.5-1.8B", Global, Score(45.76)),
    full("Xcomposer-2.5-1.8B", Online, Score(45.60)),
    full("InternVL2-2B", Global, Score(45.94)),
    full("InternVL2-2B", Online, Score(46.11)),
    full("Qwen2-vl-2B", Global, Score(46.43)),
    full("Qwen2-vl-2B", Online, Score(46.52)),
    full("InternVL2-4B", Global, Score(46.32)),
    full("InternVL2-4B", Online, Score(46.28)),
    full("Phi-3.5-V-4.2B", Global, Score(46.62)),
    full("Phi-3.5-V-4.2B", Online, Score(46.74)),
    full("Yi-VL-6B", Global, Ife),
    full("Yi-VL-6B", Online, Ife),
    full("DeepSeek-VL-7B", Global, Score(45.60)),
    full("DeepSeek-VL-7B", Online, Score(46.64)),
    full("Xcomposer-2.5-7B", Global, Score(46.84)),
    full("Xcomposer-2.5-7B", Online, Score(46.39)),
    full("LLaVA-v1.5-7B", Global, Score(45.60)),
    full("LLaVA-v1.5-7B", Online, Score(46.19)),
    full("Llava-1.6-mistral-7B", Global, Score(46.37)),
    full("Llava-1.6-mistral-7B", Online, Score(46.23)),
    full("Qwen2-vl-7B", Global, Score(46.38)),
    full("Qwen2-vl-7B", Online, Score(46.41)),
    full("MiniCPM-V2.6-8B", Global, Score(46.53)),
    full("MiniCPM-V2.6-8B", Online, Score(46.86)),
    full("InternVL2-8B", Global, Score(46.56)),
    full("InternVL2-8B", Online, Score(46.35)),
    full("Llama-3.2-11B-Vision-Instruct", Global, Score(46.54)),
    full("Llama-3.2-11B-Vision-Instruct", Online, Score(47.33)),
    full("LLaVA-v1.5-13B", Global, Score(46.65)),
    full("LLaVA-v1.5-13B", Online, Score(46.53)),
    full("InternVL2-26B", Global, Score(46.77)),
    full("InternVL2-26B", Online, Score(46.50)),
    full("Llava-1.6-34B", Global, Score(46.06)),
    full("Llava-1.6-34B", Online, Score(46.48)),
    full("Yi-VL-34B", Global, Ife),
    full("Yi-VL-34B", Online, Ife),
    full("InternVL2-40B", Global, Score(45.65)),
    full("InternVL2-40B", Online, Score(46.82)),
    full("Qwen2-vl-72B", Global, Score(47.14)),
    full("Qwen2-vl-72B", Online, Score(47.84)),
    full("NVLM-72B", Global, Score(46.39)),
    full("NVLM-72B", Online, Score(46.68)),
    full("InternVL2-76B-LLaMA3", Global, Score(46.61)),
    full("InternVL2-76B-LLaMA3", Online, Score(47.09)),
    full("Llama-3.2-90B-Vision-Instruct", Global, Score(47.14)),
    full("Llama-3.2-90B-Vision-Instruct", Online, Ife),
    full("GPT-4o", Global, Score(47.46)),
    full("GPT-4o", Online, Score(48.63)),
    full("Gemini-1.5-pro", Global, Score(47.65)),
    full("Gemini-1.5-pro", Online, Score(48.33)),
    full_baseline("idle", Global, Score(45.60)),
    full_baseline("idle", Online, Score(45.60)),
    full_baseline("random", Global, Score(47.40)),
    full_baseline("random", Online, Score(47.40)),
];

/// IA and RA on the mini set (`MageBench`, supplement, table 7).
#[rustfmt::skip]
pub(super) const ERRORS: &[PublishedErrors] = &[
    errors("GPT-4o", Global, 0.0, 5.0),
    errors("GPT-4o", Online, 0.0, 6.7),
    errors("Gemini", Global, 15.0, 3.3),
    errors("Gemini", Online, 25.0, 0.0),
    errors("Claude", Global, 0.0, 6.7),
    errors("Claude", Online, 0.0, 1.7),
    errors("InternVL2", Global, 0.0, 5.0),
    errors("InternVL2", Online, 5.0, 80.0),
    errors("LLaVA-1.5", Global, 0.0, 3.3),
    errors("LLaVA-1.5", Online, 5.0, 35.0),
    errors("MiniCPM", Global, 0.0, 6.5),
    errors("MiniCPM", Online, 0.0, 33.3),
    errors("Phi-3-V", Global, 0.0, 0.0),
    errors("Phi-3-V", Online, 0.0, 23.3),
];

const fn mini(agent: &'static str, setting: Setting, result: PublishedResult) -> PublishedFigure {
    PublishedFigure { agent, level_set: "mini", setting, window: None, result, deviation: None }
}

const fn full(agent: &'static str, setting: Setting, result: PublishedResult) -> PublishedFigure {
    let deviation = match setting {
        Global => Some(0.5),
        Online => Some(0.4),
    };
    PublishedFigure { level_set: "full", deviation, ..mini(agent, setting, result) }
}

const fn full_baseline(agent: &'static str, setting: Setting, result: PublishedResult) -> PublishedFigure {
    PublishedFigure { deviation: None, ..full(agent, setting, result) }
}

/// A figure of the memory ablation.
const fn ablation(agent: &'static str, am: u16, om: u16, score: f64) -> PublishedFigure {
    PublishedFigure { window: Some((am, om)), ..mini(agent, Online, Score(score)) }
}

const fn errors(agent: &'static str, setting: Setting, invalid: f64, repeated: f64) -> PublishedErrors {
    PublishedErrors { agent, setting, invalid, repeated, remark: None }
}
