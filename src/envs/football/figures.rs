//! The published means of rewards (`MageBench`, table 1 and supplement, tables 4 and 7).

use mageyard_domain::PublishedResult::{self, InstructionError as Ife, Score};
use mageyard_domain::{PublishedErrors, PublishedFigure, Setting};

/// What differs from the published scenes.
pub(super) const DEVIATIONS: &str =
    "football: our own scenes, in our simulator unless the engine is football/grf";

/// The figures, the mini set first. The paper states, for models, a deviation of 2.0 for the full set.
#[rustfmt::skip]
pub(super) const FIGURES: &[PublishedFigure] = &[
    mini("Phi-3.5-V-4.2B", Score(10.00)),
    mini("DeepSeek-VL-7B", Ife),
    mini("Xcomposer-2.5-7B", Ife),
    mini("MiniCPM-V2.6-8B", Score(2.10)),
    mini("LLaVA-v1.5-13B", Score(18.13)),
    mini("Llava-1.6-34B", Score(3.91)),
    mini("Yi-VL-34B", Ife),
    mini("Qwen2-vl-72B", Score(15.75)),
    mini("NVLM-72B", Score(14.46)),
    mini("InternVL2-76B-LLaMA3", Score(10.50)),
    mini("Llama-3.2-90B-Vision-Instruct", Score(14.28)),
    mini("Claude-3.5-Sonnet", Score(16.94)),
    mini("Gemini-1.5-pro", Score(18.33)),
    mini("GPT-4o", Score(21.20)),
    mini("idle", Score(2.53)),
    mini("random", Score(17.33)),
    mini("human", Score(54.68)),
    full("InternVL2-1B", Score(-2.47)),
    full("Xcomposer-2.5-1.8B", Ife),
    full("InternVL2-2B", Score(2.00)),
    full("Qwen2-vl-2B", Score(0.64)),
    full("InternVL2-4B", Score(-0.03)),
    full("Phi-3.5-V-4.2B", Score(11.04)),
    full("Yi-VL-6B", Ife),
    full("DeepSeek-VL-7B", Ife),
    full("Xcomposer-2.5-7B", Ife),
    full("LLaVA-v1.5-7B", Score(-0.80)),
    full("Llava-1.6-mistral-7B", Score(-3.64)),
    full("Qwen2-vl-7B", Score(2.68)),
    full("MiniCPM-V2.6-8B", Score(3.61)),
    full("InternVL2-8B", Score(7.90)),
    full("Llama-3.2-11B-Vision-Instruct", Score(11.58)),
    full("LLaVA-v1.5-13B", Score(16.59)),
    full("InternVL2-26B", Score(15.62)),
    full("Llava-1.6-34B", Score(3.04)),
    full("Yi-VL-34B", Ife),
    full("InternVL2-40B", Score(12.99)),
    full("Qwen2-vl-72B", Score(15.02)),
    full("NVLM-72B", Score(18.43)),
    full("InternVL2-76B-LLaMA3", Score(8.04)),
    full("Llama-3.2-90B-Vision-Instruct", Score(8.32)),
    full("GPT-4o", Score(17.78)),
    full("Gemini-1.5-pro", Score(19.61)),
    full_baseline("idle", Score(2.36)),
    full_baseline("random", Score(16.64)),
];

const fn mini(agent: &'static str, result: PublishedResult) -> PublishedFigure {
    let setting = Setting::Online;
    PublishedFigure { agent, level_set: "mini", setting, window: None, result, deviation: None }
}

const fn full(agent: &'static str, result: PublishedResult) -> PublishedFigure {
    PublishedFigure { level_set: "full", deviation: Some(2.0), ..mini(agent, result) }
}

const fn full_baseline(agent: &'static str, result: PublishedResult) -> PublishedFigure {
    PublishedFigure { deviation: None, ..full(agent, result) }
}

/// IA and RA of the published error table.
pub(super) const ERRORS: &[PublishedErrors] = &[
    errors("GPT-4o", 0.0, 7.5),
    errors("Gemini", 0.0, 3.0),
    PublishedErrors { remark: Some("passes only"), ..errors("Claude", 0.0, 43.0) },
    errors("InternVL2", 0.0, 70.0),
    errors("LLaVA-1.5", 0.0, 25.0),
    errors("MiniCPM", 6.7, 50.0),
    errors("Phi-3-V", 0.0, 24.5),
];

const fn errors(agent: &'static str, invalid: f64, repeated: f64) -> PublishedErrors {
    PublishedErrors { agent, setting: Setting::Online, invalid, repeated, remark: None }
}
