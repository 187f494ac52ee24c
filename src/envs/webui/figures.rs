//! The parts of the score that can be lost, and the published scores (`MageBench`, table 1 and supplement, table 4).

use mageyard_domain::PublishedResult::{self, Score};
use mageyard_domain::Setting::{self, Global, Online};
use mageyard_domain::{Loss, PublishedFigure};

/// The losses in the order of the published table, which has position and attributes as one.
pub const LOSSES: &[Loss] = &[
    Loss { name: "par", label: "Par" },
    Loss { name: "ren", label: "Ren" },
    Loss { name: "act", label: "Act" },
    Loss { name: "unmatched", label: "match" },
    Loss { name: "position", label: "position" },
    Loss { name: "attributes", label: "attr" },
];

/// What differs from the published pages.
pub const DEVIATIONS: &str = "webui: our own pages (mini 20, full 40 instead of 193)";

/// The published means of AES in percent, those of the Online setting with the prompt HD-CoT; the full set has no Online
/// figures. The paper states, for models, a deviation of 0.8 for the full set.
#[rustfmt::skip]
pub const FIGURES: &[PublishedFigure] = &[
    mini("Phi-3.5-V-4.2B", Global, Score(0.03)),
    mini("Phi-3.5-V-4.2B", Online, Score(11.78)),
    mini("DeepSeek-VL-7B", Global, Score(13.78)),
    mini("DeepSeek-VL-7B", Online, Score(8.07)),
    mini("Xcomposer-2.5-7B", Global, Score(12.95)),
    mini("Xcomposer-2.5-7B", Online, Score(15.26)),
    mini("MiniCPM-V2.6-8B", Global, Score(12.52)),
    mini("MiniCPM-V2.6-8B", Online, Score(10.03)),
    mini("LLaVA-v1.5-13B", Global, Score(11.95)),
    mini("LLaVA-v1.5-13B", Online, Score(9.92)),
    mini("Llava-1.6-34B", Global, Score(6.57)),
    mini("Llava-1.6-34B", Online, Score(15.17)),
    mini("Yi-VL-34B", Global, Score(7.14)),
    mini("Yi-VL-34B", Online, Score(12.08)),
    mini("Qwen2-vl-72B", Global, Score(7.37)),
    mini("Qwen2-vl-72B", Online, Score(13.03)),
    mini("NVLM-72B", Global, Score(4.71)),
    mini("NVLM-72B", Online, Score(14.46)),
    mini("InternVL2-76B-LLaMA3", Global, Score(16.22)),
    mini("InternVL2-76B-LLaMA3", Online, Score(16.76)),
    mini("Llama-3.2-90B-Vision-Instruct", Global, Score(35.09)),
    mini("Llama-3.2-90B-Vision-Instruct", Online, Score(27.47)),
    mini("Claude-3.5-Sonnet", Global, Score(64.11)),
    mini("Claude-3.5-Sonnet", Online, Score(62.08)),
    mini("Gemini-1.5-pro", Global, Score(44.79)),
    mini("Gemini-1.5-pro", Online, Score(39.30)),
    mini("GPT-4o", Global, Score(34.28)),
    mini("GPT-4o", Online, Score(35.50)),
    mini("idle", Global, Score(0.00)),
    mini("idle", Online, Score(0.00)),
    mini("random", Global, Score(0.00)),
    mini("random", Online, Score(0.00)),
    mini("human", Global, Score(68.71)),
    mini("human", Online, Score(94.32)),
    full("InternVL2-1B", Global, Score(10.61)),
    full("Xcomposer-2.5-1.8B", Global, Score(16.14)),
    full("InternVL2-2B", Global, Score(17.33)),
    full("Qwen2-vl-2B", Global, Score(9.26)),
    full("InternVL2-4B", Global, Score(2.92)),
    full("Phi-3.5-V-4.2B", Global, Score(1.36)),
    full("Yi-VL-6B", Global, Score(8.08)),
    full("DeepSeek-VL-7B", Global, Score(18.22)),
    full("Xcomposer-2.5-7B", Global, Score(15.32)),
    full("LLaVA-v1.5-7B", Global, Score(11.42)),
    full("Llava-1.6-mistral-7B", Global, Score(9.07)),
    full("Qwen2-vl-7B", Global, Score(11.98)),
    full("MiniCPM-V2.6-8B", Global, Score(16.06)),
    full("InternVL2-8B", Global, Score(27.43)),
    full("Llama-3.2-11B-Vision-Instruct", Global, Score(39.22)),
    full("LLaVA-v1.5-13B", Global, Score(13.30)),
    full("InternVL2-26B", Global, Score(31.68)),
    full("Llava-1.6-34B", Global, Score(1.65)),
    full("Yi-VL-34B", Global, Score(7.21)),
    full("InternVL2-40B", Global, Score(7.20)),
    full("Qwen2-vl-72B", Global, Score(11.70)),
    full("NVLM-72B", Global, Score(10.36)),
    full("InternVL2-76B-LLaMA3", Global, Score(28.45)),
    full("Llama-3.2-90B-Vision-Instruct", Global, Score(42.21)),
    full("GPT-4o", Global, Score(40.02)),
    full("Gemini-1.5-pro", Global, Score(52.10)),
    full_baseline("idle", Global, Score(0.00)),
    full_baseline("random", Global, Score(0.00)),
];

const fn mini(agent: &'static str, setting: Setting, result: PublishedResult) -> PublishedFigure {
    PublishedFigure { agent, level_set: "mini", setting, window: None, result, deviation: None }
}

const fn full(agent: &'static str, setting: Setting, result: PublishedResult) -> PublishedFigure {
    PublishedFigure { level_set: "full", deviation: Some(0.8), ..mini(agent, setting, result) }
}

const fn full_baseline(agent: &'static str, setting: Setting, result: PublishedResult) -> PublishedFigure {
    PublishedFigure { deviation: None, ..full(agent, setting, result) }
}
