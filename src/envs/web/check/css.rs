//! CSS selectors on their face: whether a browser can read them, and the tags that they name. What a function such as
//! `:nth-child(…)` has in its brackets is not read.

use std::iter::Peekable;
use std::str::Chars;

use crate::nodes::quoted;

/// Elements of drawings, which a tree does not list.
const DRAWN: [&str; 14] = [
    "svg",
    "path",
    "g",
    "use",
    "circle",
    "rect",
    "line",
    "polyline",
    "polygon",
    "ellipse",
    "defs",
    "symbol",
    "tspan",
    "lineargradient",
];
/// What is between two compounds, but for blanks.
const COMBINATORS: [char; 3] = ['>', '+', '~'];

/// A selector without commas: its compounds from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Complex(Vec<Compound>);

/// A part such as `li.item:first-child`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Compound {
    /// What is before it: a combinator, or a blank also at the beginning.
    before: char,
    /// The tag in small letters, if it names one.
    tag: Option<String>,
}

impl Complex {
    /// Whether it finds an option of a select.
    pub(super) fn is_option(&self) -> bool {
        self.last_tag() == Some("option")
    }

    /// Whether it finds a drawing or a part of one.
    pub(super) fn is_in_drawing(&self) -> bool {
        let is_drawn = self.last_tag().is_some_and(|tag| DRAWN.contains(&tag));
        let svg = self.0.iter().rposition(|compound| compound.tag.as_deref() == Some("svg"));
        let is_inside =
            |svg: usize| self.0.iter().skip(svg + 1).any(|compound| matches!(compound.before, ' ' | '>'));
        is_drawn || svg.is_some_and(is_inside)
    }

    fn last_tag(&self) -> Option<&str> {
        self.0.last()?.tag.as_deref()
    }
}

/// The selectors of a list; an error is why a browser cannot read it.
pub(super) fn parse(text: &str) -> Result<Vec<Complex>, String> {
    let mut scanner = Scanner { rest: text.chars().peekable() };
    let mut list = Vec::new();
    loop {
        list.push(scanner.complex()?);
        match scanner.rest.next() {
            None => return Ok(list),
            Some(',') => {}
            Some(c) => return Err(unexpected(c)),
        }
    }
}

fn unexpected(c: char) -> String {
    format!("{} has no meaning where it is", quoted(&c.to_string()))
}

struct Scanner<'a> {
    rest: Peekable<Chars<'a>>,
}

impl Scanner<'_> {
    fn complex(&mut self) -> Result<Complex, String> {
        let mut compounds = Vec::new();
        self.skip_blanks();
        let mut before = ' ';
        loop {
            compounds.push(self.compound(before)?);
            let has_blank = self.skip_blanks();
            let combinator = self.rest.next_if(|c| COMBINATORS.contains(c));
            before = match (combinator, self.rest.peek()) {
                (Some(combinator), _) => combinator,
                (None, None | Some(',')) => return Ok(Complex(compounds)),
                (None, Some(_)) if has_blank => ' ',
                (None, Some(c)) => return Err(unexpected(*c)),
            };
            self.skip_blanks();
        }
    }

    fn compound(&mut self, before: char) -> Result<Compound, String> {
        let mut is_empty = self.rest.next_if_eq(&'*').is_none();
        let mut tag = None;
        if is_empty && self.begins_name() {
            tag = Some(self.name()?.to_lowercase());
            is_empty = false;
        }
        loop {
            match self.rest.peek() {
                Some('#' | '.') => {
                    self.rest.next();
                    self.name()?;
                }
                Some(':') => self.pseudo()?,
                Some('[') => self.skip_brackets()?,
                Some(c) if is_empty => return Err(unexpected(*c)),
                None if is_empty => return Err("it ends where an element is expected".to_owned()),
                _ => return Ok(Compound { before, tag }),
            }
            is_empty = false;
        }
    }

    /// `:hover`, `::before`, `:nth-child(2)`.
    fn pseudo(&mut self) -> Result<(), String> {
        self.rest.next();
        self.rest.next_if_eq(&':');
        self.name()?;
        if self.rest.peek() == Some(&'(') { self.skip_brackets() } else { Ok(()) }
    }

    fn begins_name(&mut self) -> bool {
        self.rest.peek().is_some_and(|c| is_name(*c) && !c.is_ascii_digit() || *c == '\\')
    }

    /// A name, which begins with no digit unless it is escaped.
    fn name(&mut self) -> Result<String, String> {
        let mut name = String::new();
        while let Some(c) = self.rest.next_if(|c| is_name(*c) || *c == '\\') {
            if c != '\\' {
                name.push(c);
                continue;
            }
            name.push('\\');
            self.escape(&mut name)?;
        }
        let digits = name.trim_start_matches('-');
        match (name.chars().next(), digits.chars().next()) {
            (None, _) => Err(self.rest.peek().map_or("a name is missing at its end".to_owned(), |c| {
                format!("a name is missing before {}", quoted(&c.to_string()))
            })),
            (_, Some(digit)) if digit.is_ascii_digit() => {
                Err(format!("the name {} begins with a digit, which needs an escape", quoted(&name)))
            }
            _ => Ok(name),
        }
    }

    /// What follows a backslash: a character, or up to six hexadecimal digits and a blank.
    fn escape(&mut self, name: &mut String) -> Result<(), String> {
        let first = self.rest.next().filter(|c| *c != '\n').ok_or("it ends after a backslash")?;
        name.push(first);
        if !first.is_ascii_hexdigit() {
            return Ok(());
        }
        for _ in 1..6 {
            let Some(digit) = self.rest.next_if(char::is_ascii_hexdigit) else { break };
            name.push(digit);
        }
        self.rest.next_if(char::is_ascii_whitespace);
        Ok(())
    }

    /// Brackets with all that is in them.
    fn skip_brackets(&mut self) -> Result<(), String> {
        let mut open = Vec::new();
        let unclosed =
            |open: &[char]| format!("{} is not closed", open.iter().rev().take(1).collect::<String>());
        loop {
            let Some(c) = self.rest.next() else { return Err(unclosed(&open)) };
            match c {
                '[' | '(' => open.push(c),
                ']' | ')' => {
                    let opening = if c == ']' { '[' } else { '(' };
                    if open.pop() != Some(opening) {
                        return Err(unexpected(c));
                    }
                }
                '"' | '\'' => self.skip_text(c)?,
                '\\' => drop(self.rest.next()),
                _ => {}
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    fn skip_text(&mut self, quote: char) -> Result<(), String> {
        while let Some(c) = self.rest.next() {
            match c {
                '\\' => drop(self.rest.next()),
                c if c == quote => return Ok(()),
                _ => {}
            }
        }
        Err(format!("the quote {quote} is not closed"))
    }

    /// Whether there were any.
    fn skip_blanks(&mut self) -> bool {
        let mut any = false;
        while self.rest.next_if(char::is_ascii_whitespace).is_some() {
            any = true;
        }
        any
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_of_published_tasks_are_valid() {
        for selector in [
            "#a",
            ".gameplay >li:nth-child(4)>.item-secondary >span:nth-child(1)>.btn.btn-xs ",
            "a[href='x]y'] + b ~ c, *",
            "#\\31 2 > .sm\\:flex",
            "input[name=\"a\\\"b\"]:not([type=hidden])::before",
            "ÿ-x",
            "#-a",
        ] {
            assert!(parse(selector).is_ok(), "{selector}: {:?}", parse(selector));
        }
    }

    #[test]
    fn what_a_browser_cannot_read_is_said() {
        for (selector, reason) in [
            ("", "it ends where an element is expected"),
            (" > a", "\">\" has no meaning where it is"),
            ("a >", "it ends where an element is expected"),
            ("a,", "it ends where an element is expected"),
            ("#1a", "the name \"1a\" begins with a digit, which needs an escape"),
            (".a/b", "\"/\" has no meaning where it is"),
            ("a..b", "a name is missing before \".\""),
            ("a[b", "[ is not closed"),
            ("a:nth-child(2", "( is not closed"),
            ("a[b='c]", "the quote ' is not closed"),
            ("a)", "\")\" has no meaning where it is"),
            ("text=Buy", "\"=\" has no meaning where it is"),
            ("a#", "a name is missing at its end"),
        ] {
            assert_eq!(parse(selector).unwrap_err(), reason, "{selector}");
        }
    }

    #[test]
    fn options_and_drawings_are_recognized() {
        let kinds = |selector: &str| {
            let parsed = parse(selector).unwrap();
            (parsed[0].is_option(), parsed[0].is_in_drawing())
        };
        for (selector, expected) in [
            ("#size > option:nth-child(2)", (true, false)),
            ("select.size", (false, false)),
            ("button > svg", (false, true)),
            ("svg.icon > .part", (false, true)),
            ("svg + span", (false, false)),
            ("button > SVG > path", (false, true)),
            ("#option", (false, false)),
        ] {
            assert_eq!(kinds(selector), expected, "{selector}");
        }
    }
}
