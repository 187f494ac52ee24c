//! Where shapes are, in EMU: 914,400 an inch, 360,000 a centimetre.

use crate::office::Element;

/// A place and a size. A side is `None` where neither the shape nor its layout says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// From the left of the slide.
    pub(crate) left: Option<i64>,
    /// From the top of the slide.
    pub(crate) top: Option<i64>,
    /// The width.
    pub(crate) width: Option<i64>,
    /// The height.
    pub(crate) height: Option<i64>,
}

impl Frame {
    /// Reads `a:xfrm` or `p:xfrm`.
    pub(super) fn read(transform: Option<&Element>) -> Result<Self, String> {
        let Some(transform) = transform else { return Ok(Self::default()) };
        let position = transform.child("a:off");
        let extent = transform.child("a:ext");
        Ok(Self {
            left: length(position, "x")?,
            top: length(position, "y")?,
            width: length(extent, "cx")?,
            height: length(extent, "cy")?,
        })
    }

    /// This frame, with the sides of another one where this says nothing.
    pub(super) fn over(self, below: Self) -> Self {
        Self {
            left: self.left.or(below.left),
            top: self.top.or(below.top),
            width: self.width.or(below.width),
            height: self.height.or(below.height),
        }
    }
}

/// How the frames in a group become frames on the slide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Space {
    outer: Frame,
    inner: Frame,
}

impl Space {
    /// Reads the `a:xfrm` of a group, whose own frame on the slide is `outer`.
    pub(super) fn read(transform: Option<&Element>, outer: Frame) -> Result<Self, String> {
        let position = transform.and_then(|transform| transform.child("a:chOff"));
        let extent = transform.and_then(|transform| transform.child("a:chExt"));
        let inner = Frame {
            left: length(position, "x")?,
            top: length(position, "y")?,
            width: length(extent, "cx")?,
            height: length(extent, "cy")?,
        };
        Ok(Self { outer, inner })
    }

    /// The frame on the slide of a frame in the group; as it is where the group does not say how.
    pub(super) fn place(&self, frame: Frame) -> Frame {
        let Self { outer, inner } = self;
        Frame {
            left: moved(frame.left, outer.left, outer.width, inner.left, inner.width).or(frame.left),
            top: moved(frame.top, outer.top, outer.height, inner.top, inner.height).or(frame.top),
            width: scaled(frame.width, outer.width, inner.width).or(frame.width),
            height: scaled(frame.height, outer.height, inner.height).or(frame.height),
        }
    }
}

fn scaled(length: Option<i64>, outer: Option<i64>, inner: Option<i64>) -> Option<i64> {
    let inner = i128::from(inner?);
    let product = i128::from(length?) * i128::from(outer?);
    i64::try_from(product.checked_div(inner)?).ok()
}

fn moved(
    place: Option<i64>,
    outer: Option<i64>,
    outer_size: Option<i64>,
    inner: Option<i64>,
    inner_size: Option<i64>,
) -> Option<i64> {
    let inside = scaled(place?.checked_sub(inner?), outer_size, inner_size)?;
    outer?.checked_add(inside)
}

/// The size of slides.
pub(super) fn size(element: Option<&Element>) -> Result<Frame, String> {
    Ok(Frame { width: length(element, "cx")?, height: length(element, "cy")?, ..Frame::default() })
}

fn length(element: Option<&Element>, name: &str) -> Result<Option<i64>, String> {
    let Some(text) = element.and_then(|element| element.attr(name)) else { return Ok(None) };
    emu(text).map(Some).ok_or_else(|| format!("the length {name}={text:?} cannot be read"))
}

/// A coordinate (section 22.9.2.19 for units): EMU without a unit.
fn emu(text: &str) -> Option<i64> {
    const UNITS: &[(&str, f64)] = &[
        ("mm", 36_000.0),
        ("cm", 360_000.0),
        ("in", 914_400.0),
        ("pt", 12_700.0),
        ("pc", 152_400.0),
        ("pi", 152_400.0),
    ];
    let text = text.trim();
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let (number, factor) =
        UNITS.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))?;
    let number = (number.trim().parse::<f64>().ok()? * factor).round();
    // An integer of at most 15 digits is printed exactly, and so read exactly.
    (number.abs() < 1e15).then(|| format!("{number}").parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_units() {
        assert_eq!(emu("12"), Some(12));
        assert_eq!(emu("-360000"), Some(-360_000));
        assert_eq!(emu("1in"), Some(914_400));
        assert_eq!(emu("2.5 cm"), Some(900_000));
        assert_eq!(emu("-0.0pt"), Some(0));
        for wrong in ["", "a", "1km", "1e99cm", "nancm", "9223372036854775808"] {
            assert_eq!(emu(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_group_moves_and_scales_what_is_in_it() {
        let frame = |left, top, width, height| Frame {
            left: Some(left),
            top: Some(top),
            width: Some(width),
            height: Some(height),
        };
        let space = Space { outer: frame(100, 200, 50, 60), inner: frame(10, 20, 100, 30) };
        assert_eq!(space.place(frame(30, 25, 20, 10)), frame(110, 210, 10, 20));
        let flat = Space { outer: frame(100, 200, 50, 60), inner: frame(0, 0, 0, 0) };
        assert_eq!(flat.place(frame(30, 25, 20, 10)), frame(30, 25, 20, 10));
        let far = frame(i64::MIN, i64::MAX, i64::MAX, i64::MIN);
        assert_eq!(space.place(far), frame(i64::MIN, i64::MAX, i64::MAX / 2, i64::MIN));
        assert_eq!(space.place(Frame::default()), Frame::default());
    }
}
