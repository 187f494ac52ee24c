//! The prompt variants (`MageBench`, supplement: prompts of `WebUI`), in wording of our own.
//!
//! The fourth variant of the released code shows the wanted and the present page in one picture, without the description;
//! it needs a picture of both, which no request has.

/// The variants as name and file text, the default first.
pub const PROMPTS: &[(&str, &str)] = &[
    ("0s-CoT", include_str!("prompts/0s-CoT.md")),
    ("HD-CoT", include_str!("prompts/HD-CoT.md")),
    ("HD-CoT-NoIMG", include_str!("prompts/HD-CoT-NoIMG.md")),
];
