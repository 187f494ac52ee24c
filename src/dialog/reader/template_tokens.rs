//! Tokens of chat templates at the end of a reply, which some servers return as text: `<|im_end|>`, `</s>`.

/// Tokens without a form of their own.
const TOKENS: [&str; 8] = [
    "</s>",
    "<eos>",
    "<end_of_turn>",
    "<end_of_utterance>",
    "<turn|>",
    "[EOS]",
    "[/INST]",
    "<start_of_turn>",
];

/// The roles that a template writes after a token that begins a message.
const ROLES: [&str; 5] = ["assistant", "user", "system", "tool", "model"];

/// The maximum length of the name in a token, in bytes.
const MAX_NAME: usize = 40;

/// The reply without the tokens at its end and the white space before them; the same text if it ends with none.
pub(super) fn without_tokens(reply: &str) -> &str {
    let mut text = reply;
    while let Some(rest) = strip_token(text.trim_end()) {
        text = rest;
    }
    if text.len() < reply.len() { text.trim_end() } else { reply }
}

fn strip_token(text: &str) -> Option<&str> {
    let role = ROLES.iter().find_map(|role| strip_token_itself(text.strip_suffix(role)?.trim_end()));
    role.or_else(|| strip_token_itself(text))
}

fn strip_token_itself(text: &str) -> Option<&str> {
    for (open, close) in [("<|", "|>"), ("<｜", "｜>")] {
        let Some(inner) = text.strip_suffix(close) else { continue };
        let start = inner.rfind(open)?;
        let name = &inner[start + open.len()..];
        let is_name = |c: char| c.is_alphanumeric() || "_-▁/".contains(c);
        return Some(&text[..start])
            .filter(|_| !name.is_empty() && name.len() <= MAX_NAME && name.chars().all(is_name));
    }
    let token = TOKENS.iter().find(|token| text.ends_with(*token))?;
    let rest = &text[..text.len() - token.len()];
    // The end of an HTML element.
    Some(rest).filter(|rest| *token != "</s>" || !rest.contains("<s>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_the_common_families_are_cut_off() {
        for reply in [
            "Up<|im_end|>",
            "Up<|im_end|>\n<|im_start|>assistant\n",
            "Up <|eot_id|>",
            "Up<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
            "Up<|end_of_text|>",
            "Up\n<|endoftext|>\n",
            "Up<|return|>",
            "Up<|end|>",
            "Up<｜end▁of▁sentence｜>",
            "Up<end_of_turn>\n<eos>",
            "Up<end_of_turn>\n<start_of_turn>model",
            "Up</s>",
            "Up</s></s>",
            "Up<|END_OF_TURN_TOKEN|>",
            "Up<|user|>",
            "Up [/INST]",
        ] {
            assert_eq!(without_tokens(reply), "Up", "{reply}");
        }
    }

    #[test]
    fn other_texts_stay() {
        for reply in
            ["Up", "Up\n", "Up |>", "<s>Up</s>", "Up <|a b|>", "Up <||>", "my assistant", "a <b|> c|>", ""]
        {
            assert_eq!(without_tokens(reply), reply);
        }
    }
}
