//! Formatting of paragraphs and runs of slides, and how one lies over another (sections 21.1.2.2 and 21.1.2.3).

use std::rc::Rc;

use super::color::{self, Paint};
use super::theme::Theme;
use crate::office::Element;
use crate::office::docx::rgb;

/// Formatting of a run; `None` where nothing is said.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RunFormat {
    /// The font of Latin text.
    pub(crate) font: Option<Rc<str>>,
    /// Hundredths of a point.
    pub(crate) size: Option<i64>,
    /// Whether it is bold.
    pub(crate) bold: Option<bool>,
    /// Whether it is italic.
    pub(crate) italic: Option<bool>,
    /// How it is underlined, such as `sng` or `none`.
    pub(crate) underline: Option<Rc<str>>,
    /// How it is struck through: `noStrike`, `sngStrike` or `dblStrike`.
    pub(crate) strike: Option<Rc<str>>,
    /// Its color, of the theme too.
    pub(crate) paint: Option<Paint>,
    /// Its color, if it is said as red, green and blue.
    pub(crate) rgb: Option<[u8; 3]>,
    /// Whether it is a link: then it is underlined and has the color of links.
    pub(super) link: bool,
}

impl RunFormat {
    /// Reads `a:rPr`, `a:defRPr` or their like. A font of the theme keeps its name.
    pub(super) fn read(properties: Option<&Element>, theme: &Theme) -> Result<Self, String> {
        let Some(properties) = properties else { return Ok(Self::default()) };
        let solid = properties.at(&["a:solidFill", "a:srgbClr"]);
        Ok(Self {
            font: properties.child("a:latin").map_or(Ok(None), |font| name(font, "typeface"))?,
            size: whole(properties, "sz")?,
            bold: flag(properties, "b")?,
            italic: flag(properties, "i")?,
            underline: name(properties, "u")?,
            strike: name(properties, "strike")?,
            paint: color::fill(properties, theme)?,
            rgb: solid.and_then(|color| color.attr("val")).and_then(rgb),
            link: properties.child("a:hlinkClick").is_some(),
        })
    }

    /// This formatting, and that of `below` where this says nothing.
    pub(super) fn over(self, below: &Self) -> Self {
        Self {
            font: self.font.or_else(|| below.font.clone()),
            size: self.size.or(below.size),
            bold: self.bold.or(below.bold),
            italic: self.italic.or(below.italic),
            underline: self.underline.or_else(|| below.underline.clone()),
            strike: self.strike.or_else(|| below.strike.clone()),
            paint: self.paint.or_else(|| below.paint.clone()),
            rgb: self.rgb.or(below.rgb),
            link: self.link || below.link,
        }
    }

    /// This formatting with what is usual where nothing is said, fonts of the theme by their names, and links as they look.
    pub(super) fn complete(self, theme: &Theme) -> Self {
        let font = self.font.and_then(|name| theme.font(&name));
        let of_link = self.link.then(|| theme.color("hlink")).flatten();
        let underline = if self.link { Some("sng".into()) } else { self.underline };
        Self {
            font: font.or_else(|| theme.font("+mn-lt")),
            size: self.size.or(Some(1800)),
            bold: self.bold.or(Some(false)),
            italic: self.italic.or(Some(false)),
            underline: underline.or_else(|| Some("none".into())),
            strike: self.strike.or_else(|| Some("noStrike".into())),
            paint: of_link.or(self.paint).or_else(|| theme.color("tx1")).or(Some(Paint::Rgb([0, 0, 0]))),
            rgb: self.rgb,
            link: self.link,
        }
    }
}

/// Formatting of a paragraph; `None` where nothing is said.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ParagraphFormat {
    /// Such as `l` or `ctr`.
    pub(crate) alignment: Option<Rc<str>>,
    /// What is before it.
    pub(crate) bullet: Option<Bullet>,
    /// The color of that.
    pub(crate) bullet_color: Option<BulletColor>,
}

/// What is before a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bullet {
    /// Nothing.
    None,
    /// A character.
    Character(Rc<str>),
    /// A number: its scheme, such as `arabicPeriod`, and where it starts.
    Number(Rc<str>, i64),
    /// A picture.
    Picture,
}

/// The color of a bullet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BulletColor {
    /// That of the text.
    Text,
    /// Its own.
    Own(Paint),
}

impl ParagraphFormat {
    /// Reads `a:pPr` or `a:lvl1pPr` and on.
    pub(super) fn read(properties: Option<&Element>, theme: &Theme) -> Result<Self, String> {
        let mut format = Self::default();
        let Some(properties) = properties else { return Ok(format) };
        format.alignment = name(properties, "algn")?;
        for element in properties.elements() {
            match element.local() {
                "buNone" => format.bullet = Some(Bullet::None),
                "buChar" => {
                    let character = name(element, "char")?.unwrap_or_default();
                    format.bullet = Some(Bullet::Character(common(&character)));
                }
                "buAutoNum" => {
                    let scheme = name(element, "type")?.unwrap_or_default();
                    format.bullet = Some(Bullet::Number(scheme, whole(element, "startAt")?.unwrap_or(1)));
                }
                "buBlip" => format.bullet = Some(Bullet::Picture),
                "buClrTx" => format.bullet_color = Some(BulletColor::Text),
                "buClr" => format.bullet_color = color::read(element, theme)?.map(BulletColor::Own),
                _ => {}
            }
        }
        Ok(format)
    }

    /// This formatting, and that of `below` where this says nothing.
    pub(super) fn over(self, below: &Self) -> Self {
        Self {
            alignment: self.alignment.or_else(|| below.alignment.clone()),
            bullet: self.bullet.or_else(|| below.bullet.clone()),
            bullet_color: self.bullet_color.or_else(|| below.bullet_color.clone()),
        }
    }

    /// This formatting with what is usual where nothing is said.
    pub(super) fn complete(self) -> Self {
        Self {
            alignment: self.alignment.or_else(|| Some("l".into())),
            bullet: self.bullet.or(Some(Bullet::None)),
            bullet_color: self.bullet_color.or(Some(BulletColor::Text)),
        }
    }
}

/// A character of a symbol font in one form: programs write such a one with or without F000 added.
fn common(character: &str) -> Rc<str> {
    let plain = |character: char| match u32::from(character) {
        code @ 0xF020..=0xF0FF => char::from_u32(code - 0xF000).unwrap_or(character),
        _ => character,
    };
    character.chars().map(plain).collect::<String>().into()
}

/// The longest name of a font and the like, in bytes.
const LONGEST: usize = 500;

/// A name in an attribute. Names are compared often, so their length is limited.
pub(super) fn name(element: &Element, attribute: &str) -> Result<Option<Rc<str>>, String> {
    match element.attr(attribute) {
        Some(name) if name.len() > LONGEST => Err(format!("{attribute} has more than {LONGEST} bytes")),
        name => Ok(name.map(Rc::from)),
    }
}

/// A whole number in an attribute.
pub(super) fn whole(element: &Element, name: &str) -> Result<Option<i64>, String> {
    let Some(text) = element.attr(name) else { return Ok(None) };
    text.trim().parse().map(Some).map_err(|_| format!("{name}={text:?} is not a whole number"))
}

fn flag(element: &Element, name: &str) -> Result<Option<bool>, String> {
    match element.attr(name) {
        None => Ok(None),
        Some("1" | "true" | "on") => Ok(Some(true)),
        Some("0" | "false" | "off") => Ok(Some(false)),
        Some(text) => Err(format!("{name}={text:?} is neither true nor false")),
    }
}
