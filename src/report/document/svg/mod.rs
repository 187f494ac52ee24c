//! Draws maps, curves and intervals as SVG. Shades, dashes and markers carry everything that colours do, so a picture can
//! be printed in black and white.

mod curves;
mod intervals;
mod map;

pub(super) use self::curves::curves;
pub(super) use self::intervals::intervals;
pub(super) use self::map::map;
use mageyard_domain::sanitize;

/// Text in which no character is markup, without control characters.
pub(super) fn escaped(text: &str) -> String {
    let mut shown = String::new();
    for c in sanitize(text).chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\'' => shown.push_str("&#39;"),
            c => shown.push(c),
        }
    }
    shown
}

/// A count as a coordinate.
fn at(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

fn text(x: f64, y: f64, style: &str, content: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" {style}>{}</text>\n", escaped(content))
}

/// Lines along this path.
fn path(along: &str, style: &str) -> String {
    format!("<path d=\"{along}\" {style}/>\n")
}

fn picture((width, height): (f64, f64), title: &str, content: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width:.0}\" height=\"{height:.0}\" \
        viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"system-ui,sans-serif\" font-size=\"13\">\n\
        <title>{}</title>\n<defs><pattern id=\"struck\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" \
        patternTransform=\"rotate(45)\"><rect width=\"8\" height=\"8\" fill=\"#fff\"/>\
        <rect width=\"1.5\" height=\"8\" fill=\"#999\"/></pattern></defs>\n{content}</svg>\n",
        escaped(title)
    )
}

/// Round values between two ends: about five.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(rough);
    let first = (low / step).ceil();
    let values = (0..12_u8).map(|index| (first + f64::from(index)) * step);
    values.take_while(|value| *value <= high).collect()
}

/// A value of an axis without useless zeros.
fn tick(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The ends of an axis on which all values have room.
fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let wide = |(low, high): (f64, f64), value: f64| (low.min(value), high.max(value));
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), wide);
    let room = ((high - low) * 0.06).max(0.5);
    (low - room, high + room)
}

#[cfg(test)]
mod tests {
    use super::super::{Curve, CurvePoint, Curves};
    use super::*;

    #[test]
    fn hostile_text_is_no_markup() {
        assert_eq!(escaped("<script>'\"&\u{1b}[2J"), "&lt;script&gt;&#39;&quot;&amp;␛[2J");
    }

    #[test]
    fn a_curve_of_one_value_is_drawn() {
        let point = |y| CurvePoint { y, band: None };
        let line = Curve { name: "<b>".to_owned(), points: vec![point(5.0), point(5.0)] };
        let drawn = curves(
            &Curves { x: "n", first: 1, lines: vec![line], levels: vec![("idle".to_owned(), 5.0)] },
            "t",
        );
        assert!(drawn.contains("&lt;b&gt;") && drawn.contains("idle 5.00"), "{drawn}");
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
    }

    #[test]
    fn a_long_curve_has_few_markers_and_many_curves_have_no_bands() {
        let line = |count: u8| {
            let points = (0..count).map(|n| CurvePoint { y: f64::from(n), band: Some((0.0, 90.0)) });
            Curve { name: "c".to_owned(), points: points.collect() }
        };
        let drawn = |lines: Vec<Curve>| curves(&Curves { x: "n", first: 1, lines, levels: Vec::new() }, "t");
        // One more in the legend.
        assert_eq!(drawn(vec![line(5)]).matches('●').count(), 6);
        let long = drawn(vec![line(80)]).matches('●').count();
        assert!((10..=15).contains(&long), "{long}");
        assert_eq!(drawn((0..6).map(|_| line(5)).collect()).matches("fill-opacity").count(), 6);
        assert_eq!(drawn((0..7).map(|_| line(5)).collect()).matches("fill-opacity").count(), 0);
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(41.0, 97.0).iter().map(|value| tick(*value)).collect::<Vec<_>>(), ["60", "80"]);
        assert_eq!(ticks(0.0, 1.1).iter().map(|value| tick(*value)).collect::<Vec<_>>(), ["0", "0.5", "1"]);
    }
}
