//! What a terminal answers to questions.

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminalAnswer {
    /// To a question about Kitty's graphics protocol: the number of the picture, and whether it was accepted.
    Kitty {
        /// The number of the picture.
        id: u32,
        /// Whether it was accepted.
        ok: bool,
    },
    /// Primary device attributes (DA1): 4 is Sixel.
    Attributes(Vec<u16>),
    /// Name and version of the terminal (XTVERSION).
    Version(String),
    /// The size of a cell in pixels.
    CellSize {
        /// Pixels.
        height: u16,
        /// Pixels.
        width: u16,
    },
    /// Whether the terminal knows a mode (DECRQM).
    Mode {
        /// The number of the mode.
        mode: u16,
        /// Whether it can be set.
        known: bool,
    },
    /// The terminal has carried out everything that was sent before the question (DSR).
    Ready,
    /// The column of the cursor, from 1 (CPR).
    Column(u16),
    /// Whether it has one of the capabilities `RGB` and `Tc` of terminfo (XTGETTCAP).
    RgbCapability(bool),
    /// Whether a background of 24 bits that was set is read back as it was (DECRQSS), and not as another colour.
    TrueColor(bool),
}

/// What a complete control sequence is.
#[derive(Debug)]
pub(super) enum ControlSequence {
    /// A key or the mouse.
    Typed,
    /// An answer to no question of this program.
    Foreign,
    /// An answer.
    Answer(TerminalAnswer),
}

impl ControlSequence {
    pub(super) fn of(sequence: &[u8]) -> Self {
        let parts = sequence.get(2..).and_then(<[u8]>::split_last);
        let Some((last, Ok(body))) = parts.map(|(last, body)| (*last, std::str::from_utf8(body))) else {
            return Self::Typed;
        };
        match (body.chars().next(), last) {
            (Some('?'), b'c') => Self::answer(numbers(&body[1..]).map(TerminalAnswer::Attributes)),
            (Some('?'), b'y') => Self::answer(mode(&body[1..])),
            (Some('?' | '>' | '='), _) => Self::Foreign,
            (Some('0'..='9'), b't') => Self::answer(cell_size(body)),
            (Some('0'..='9'), b'n') => Self::answer((body == "0").then_some(TerminalAnswer::Ready)),
            // A position of the cursor; in the first row it looks like F3 with modifiers, which is likelier.
            (Some('0'..='9'), b'R') if body.contains(';') && !body.starts_with("1;") => {
                Self::answer(column(body))
            }
            _ => Self::Typed,
        }
    }

    fn answer(answer: Option<TerminalAnswer>) -> Self {
        answer.map_or(Self::Foreign, Self::Answer)
    }
}

impl TerminalAnswer {
    /// A complete string of a device.
    pub(super) fn of_string(sequence: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(sequence).ok()?;
        let text = text.strip_suffix("\x1b\\").or_else(|| text.strip_suffix('\x07'))?;
        if let Some(version) = text.strip_prefix("\x1bP>|") {
            return Some(Self::Version(version.to_owned()));
        }
        if let Some(settings) = text.strip_prefix("\x1bP1$r") {
            return background(settings.strip_suffix('m')?).map(Self::TrueColor);
        }
        if let Some(name) = text.strip_prefix("\x1bP1+r") {
            let name = name.split(['=', ';']).next()?;
            return RGB_NAMES.contains(&name).then_some(Self::RgbCapability(true));
        }
        if text.starts_with("\x1bP0+r") {
            return Some(Self::RgbCapability(false));
        }
        let (keys, message) = text.strip_prefix("\x1b_G")?.split_once(';')?;
        let id = keys.split(',').find_map(|key| key.strip_prefix("i="))?.parse().ok()?;
        Some(Self::Kitty { id, ok: message == "OK" })
    }
}

/// `RGB` and `Tc` in hexadecimal digits.
const RGB_NAMES: [&str; 2] = ["524742", "5463"];
/// The background that the questions set, red, green and blue.
const ASKED_BACKGROUND: [&str; 3] = ["1", "2", "3"];

/// Whether the background among these settings of text (SGR) is the one that was set; `None` if there is none, as from
/// terminals that answer without looking.
fn background(settings: &str) -> Option<bool> {
    let mut attributes = settings.split(';');
    loop {
        let attribute = attributes.next()?;
        if attribute == "48" {
            let color: Vec<&str> = attributes.collect();
            return Some(color.split_first() == Some((&"2", &ASKED_BACKGROUND[..])));
        }
        if let Some(color) = attribute.strip_prefix("48:") {
            let color: Vec<&str> = color.split(':').collect();
            return Some(color.first() == Some(&"2") && color.ends_with(&ASKED_BACKGROUND));
        }
        if attribute.parse().is_ok_and(|number: u16| matches!(number, 40..=47 | 100..=107)) {
            return Some(false);
        }
    }
}

/// The numbers of a sequence; one that is left out is 0.
fn numbers(text: &str) -> Option<Vec<u16>> {
    text.split(';').map(|number| if number.is_empty() { Some(0) } else { number.parse().ok() }).collect()
}

/// `mode;state$`: a state of 0 is an unknown mode, 4 one that is off for ever.
fn mode(text: &str) -> Option<TerminalAnswer> {
    match numbers(text.strip_suffix('$')?)?[..] {
        [mode, state] => Some(TerminalAnswer::Mode { mode, known: matches!(state, 1..=3) }),
        _ => None,
    }
}

fn column(text: &str) -> Option<TerminalAnswer> {
    match numbers(text)?[..] {
        [_, column] => Some(TerminalAnswer::Column(column)),
        _ => None,
    }
}

fn cell_size(text: &str) -> Option<TerminalAnswer> {
    match numbers(text)?[..] {
        [6, height, width] if height > 0 && width > 0 => Some(TerminalAnswer::CellSize { height, width }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_background_that_is_read_back_as_it_was_set_is_24_bit_colour() {
        for (answer, true_color) in [
            ("1$r0;48:2:1:2:3m", Some(true)),
            ("1$r0;48:2::1:2:3m", Some(true)),
            ("1$r48;2;1;2;3m", Some(true)),
            ("1$r0;48:5:16m", Some(false)),
            ("1$r0;48;5;16m", Some(false)),
            ("1$r0;48:2::0:0:0m", Some(false)),
            ("1$r0;40m", Some(false)),
            // Some terminals always answer so.
            ("1$r0m", None),
            ("1$rm", None),
            ("0$r", None),
        ] {
            let read = TerminalAnswer::of_string(format!("\x1bP{answer}\x1b\\").as_bytes());
            assert_eq!(read, true_color.map(TerminalAnswer::TrueColor), "{answer}");
        }
    }

    #[test]
    fn capabilities_of_24_bit_colour_are_read() {
        for (answer, known) in [
            ("1+r524742=382F382F38", Some(true)),
            ("1+r5463", Some(true)),
            ("1+r5463=", Some(true)),
            ("0+r524742", Some(false)),
            ("0+r", Some(false)),
            ("1+r544e=78746572", None),
        ] {
            let read = TerminalAnswer::of_string(format!("\x1bP{answer}\x1b\\").as_bytes());
            assert_eq!(read, known.map(TerminalAnswer::RgbCapability), "{answer}");
        }
    }
}
