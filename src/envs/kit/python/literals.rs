//! The texts that a Python file has as literals: those of a function or variable with a name, and those that are
//! appended to something. Nothing is run, so a computed text is an error where a literal was looked for.

use super::SourceError;
use super::tokens::{Line, Token};

/// Where texts are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextPlace {
    /// In the function, the variable or the attribute with this name. Where its texts are told apart by keys or conditions,
    /// only those whose key has this word count; other capitals are the same.
    Named(&'static str, &'static str),
    /// In what is appended to something: after `+=`, in `append(…)` and `insert(…)`, and after the key `"text"`.
    Appended,
}

/// The texts of a place, joined. `what` names the place in messages.
///
/// # Errors
/// The place is missing, has no literal, or has a computed text; with the line.
pub fn literals(lines: &[Line], place: TextPlace) -> Result<String, SourceError> {
    let (first, found) = match place {
        TextPlace::Named(name, word) => {
            let (first, body) = body_of(lines, name).ok_or_else(|| missing(lines, &format!("`{name}`")))?;
            (first, keyed_texts(body, word, name)?)
        }
        TextPlace::Appended => (lines.len(), appended_texts(lines)?),
    };
    if found.is_empty() {
        let what = match place {
            TextPlace::Named(name, word) => format!("no text literal for {word} in `{name}`"),
            TextPlace::Appended => "no text literal that is appended".to_owned(),
        };
        return Err(SourceError { line: first, reason: what });
    }
    Ok(found.join("\n"))
}

fn missing(lines: &[Line], what: &str) -> SourceError {
    let line = lines.last().map_or(1, |line| line.number);
    SourceError { line, reason: format!("there is no {what} up to the end of the file") }
}

/// The lines of the function with this name, or the line that gives this name a value, and its number.
fn body_of<'a>(lines: &'a [Line], name: &str) -> Option<(usize, &'a [Line])> {
    let names = |line: &Line| line.tokens.iter().take(6).any(|token| is_name(token, name));
    let at = lines.iter().position(|line| names(line) && (is_definition(line) || assigns(line, name)))?;
    let end = if is_definition(&lines[at]) {
        let ends =
            |line: &Line| !line.indented || is_definition(line) || line.tokens[0] == Token::Symbol('@');
        lines[at + 1..].iter().position(ends).map_or(lines.len(), |end| at + 1 + end)
    } else {
        at + 1
    };
    let from = if is_definition(&lines[at]) { at + 1 } else { at };
    Some((lines[at].number, &lines[from..end]))
}

fn is_name(token: &Token, name: &str) -> bool {
    matches!(token, Token::Name(found) if found == name)
}

fn is_definition(line: &Line) -> bool {
    line.tokens.first().is_some_and(|token| is_name(token, "def") || is_name(token, "class"))
}

/// Whether a line gives this name, or an attribute with it, a value.
fn assigns(line: &Line, name: &str) -> bool {
    let at = line.tokens.iter().position(|token| is_name(token, name));
    at.is_some_and(|at| {
        line.tokens.get(at + 1) == Some(&Token::Symbol('='))
            && line.tokens.get(at + 2) != Some(&Token::Symbol('='))
    })
}

/// The texts of these lines that belong to the word, or to no word at all.
fn keyed_texts(lines: &[Line], word: &str, name: &str) -> Result<Vec<String>, SourceError> {
    let mut texts: Vec<(Option<String>, String)> = Vec::new();
    let mut branch = None;
    for (index, line) in lines.iter().enumerate() {
        match &line.tokens[0] {
            Token::Name(word) if word == "if" || word == "elif" => {
                branch = texts_of(&line.tokens).next().map(|text| text.0);
                continue;
            }
            Token::Name(word) if word == "else" => branch = None,
            // The description of a function.
            Token::Text(_) if index == 0 && line.tokens.len() == 1 => continue,
            _ => {}
        }
        if line.tokens.contains(&Token::Computed) {
            let reason = format!("a computed text in `{name}`, where a text literal was looked for");
            return Err(SourceError { line: line.number, reason });
        }
        let mut key = branch.clone();
        for (text, is_key) in texts_of(&line.tokens) {
            if is_key {
                key = Some(text);
            } else {
                texts.push((key.clone(), text));
            }
        }
    }
    let word = word.to_lowercase();
    let fits = |key: &Option<String>| key.as_ref().is_some_and(|key| key.to_lowercase().contains(&word));
    let is_keyed = texts.iter().any(|(key, _)| fits(key));
    let wanted = texts.into_iter().filter(|(key, _)| if is_keyed { fits(key) } else { key.is_none() });
    Ok(wanted.map(|(_, text)| text).collect())
}

/// The texts among tokens, those after each other or with a `+` between them joined, and whether a colon makes them a key.
fn texts_of(tokens: &[Token]) -> impl Iterator<Item = (String, bool)> {
    let mut rest = tokens;
    std::iter::from_fn(move || {
        let at = rest.iter().position(|token| matches!(token, Token::Text(_)))?;
        rest = &rest[at..];
        let mut joined = String::new();
        loop {
            match rest {
                [Token::Text(text), more @ ..] => {
                    joined.push_str(text);
                    rest = more;
                }
                [Token::Symbol('+'), more @ ..] if matches!(more.first(), Some(Token::Text(_))) => {
                    rest = more;
                }
                _ => break,
            }
        }
        Some((joined, rest.first() == Some(&Token::Symbol(':'))))
    })
}

/// The texts that are appended to something, in the order of the file.
fn appended_texts(lines: &[Line]) -> Result<Vec<String>, SourceError> {
    let mut texts = Vec::new();
    for line in lines {
        let Some(from) = appended_from(&line.tokens) else { continue };
        let tokens = &line.tokens[from..];
        let found: Vec<String> =
            texts_of(tokens).filter(|(text, is_key)| !is_key && is_prose(text)).map(|text| text.0).collect();
        if found.is_empty() && tokens.contains(&Token::Computed) {
            let reason = "a computed text is appended, where a text literal was looked for".to_owned();
            return Err(SourceError { line: line.number, reason });
        }
        texts.extend(found);
    }
    Ok(texts)
}

/// Where in a line something is appended.
fn appended_from(tokens: &[Token]) -> Option<usize> {
    let added = tokens.windows(2).position(|two| two == [Token::Symbol('+'), Token::Symbol('=')]);
    let called = tokens.windows(2).position(|two| {
        (is_name(&two[0], "append") || is_name(&two[0], "insert")) && two[1] == Token::Symbol('(')
    });
    let keyed = tokens.windows(2).position(|two| two == [Token::Text("text".to_owned()), Token::Symbol(':')]);
    [added, called, keyed].into_iter().flatten().min().map(|at| at + 2)
}

/// Whether a text is a sentence and not a name, such as that of a role.
fn is_prose(text: &str) -> bool {
    text.trim().contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    fn read(source: &str, place: TextPlace) -> Result<String, (usize, String)> {
        literals(&lines(source).unwrap(), place).map_err(|error| (error.line, error.reason))
    }

    const SYSTEM: TextPlace = TextPlace::Named("system_prompt", "sokoban");

    #[test]
    fn the_texts_of_a_property_are_joined() {
        let source = "class Env:\n    @property\n    def system_prompt(self):\n        '''About it.'''\n        \
                      text = 'You play.\\n' \\\n            'Push it. '\n        text += \"Now.\"\n        return text\n\n    \
                      def step(self):\n        return 'other words'\n";
        assert_eq!(read(source, SYSTEM), Ok("You play.\nPush it. \nNow.".to_owned()));
        let attribute =
            "class Env:\n  def __init__(self):\n    self.system_prompt = ('a b' + 'c')\n    x = 'no'\n";
        assert_eq!(read(attribute, SYSTEM), Ok("a bc".to_owned()));
    }

    #[test]
    fn texts_are_chosen_by_key_or_condition() {
        let place = TextPlace::Named("special_prompt_for_task", "sokoban");
        let table = "special_prompt_for_task = {\n 'Sokoban': 'push all',\n 'WebUI': 'write all'}\n";
        assert_eq!(read(table, place), Ok("push all".to_owned()));
        let branches = "def special_prompt_for_task(name):\n  if name == 'SokobanEnv':\n    return 'push all'\n  \
                        elif 'web' in name:\n    return 'write all'\n  else:\n    return 'act'\n";
        assert_eq!(read(branches, place), Ok("push all".to_owned()));
        assert_eq!(
            read(branches, TextPlace::Named("special_prompt_for_task", "football")),
            Ok("act".to_owned())
        );
        let none = read(table, TextPlace::Named("special_prompt_for_task", "football")).unwrap_err();
        assert_eq!(none, (1, "no text literal for football in `special_prompt_for_task`".to_owned()));
    }

    #[test]
    fn appended_texts_are_read_in_their_order() {
        let source = "def ask(self):\n  self.prompt += 'Think step by step. '\n  \
                      messages.append({'role': 'user', 'content': 'Reply in this form: ' + 'one line'})\n  \
                      parts = [{'type': 'text', 'text': 'The page now.'}]\n  log('not this text')\n";
        let read = read(source, TextPlace::Appended).unwrap();
        assert_eq!(read, "Think step by step. \nReply in this form: one line\nThe page now.");
    }

    #[test]
    fn what_is_not_there_is_named_with_its_line() {
        let computed = "def system_prompt(self):\n  return f'{self.x} boxes'\n";
        let reason = "a computed text in `system_prompt`, where a text literal was looked for";
        assert_eq!(read(computed, SYSTEM), Err((2, reason.to_owned())));
        let other = read("x = 1\ny = 2\n", SYSTEM).unwrap_err();
        assert_eq!(other, (2, "there is no `system_prompt` up to the end of the file".to_owned()));
        assert_eq!(read("x = 1\n", TextPlace::Appended).unwrap_err().1, "no text literal that is appended");
    }
}
