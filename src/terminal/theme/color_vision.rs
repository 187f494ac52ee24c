//! Checks of the themes for people with colour vision deficiency: their vision is simulated with the matrices of Machado,
//! Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (IEEE Transactions
//! on Visualization and Computer Graphics 15(6), 2009) at full severity, which apply to linear RGB.

use super::color_depth::{distance, to_rgb};
use super::{StyleRole, Theme};

type Matrix = [[f64; 3]; 3];

const PROTANOPIA: Matrix = [
    [0.152_286, 1.052_583, -0.204_868],
    [0.114_503, 0.786_281, 0.099_216],
    [-0.003_882, -0.048_116, 1.051_998],
];
const DEUTERANOPIA: Matrix = [
    [0.367_322, 0.860_646, -0.227_968],
    [0.280_085, 0.672_501, 0.047_413],
    [-0.011_820, 0.042_940, 0.968_881],
];
const TRITANOPIA: Matrix = [
    [1.255_528, -0.076_749, -0.178_779],
    [-0.078_411, 0.930_809, 0.147_602],
    [0.004_733, 0.691_367, 0.303_900],
];

/// The least distance in Oklab of two colours that are told apart, and that of a colour from ordinary text.
const LEAST: f64 = 0.13;
const LEAST_FROM_TEXT: f64 = 0.09;

/// The roles with opposite or graded meanings.
const PAIRS: [(StyleRole, StyleRole); 8] = [
    (StyleRole::Ok, StyleRole::Warn),
    (StyleRole::Ok, StyleRole::Fault),
    (StyleRole::Warn, StyleRole::Fault),
    (StyleRole::RewardGood, StyleRole::RewardBad),
    (StyleRole::CodeAdded, StyleRole::CodeRemoved),
    (StyleRole::In, StyleRole::Out),
    (StyleRole::Action, StyleRole::ActionRejected),
    (StyleRole::MarkUnread, StyleRole::MarkInvalid),
];

pub(super) fn linear(value: u8) -> f64 {
    let value = f64::from(value) / 255.0;
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is from 0 to 255")]
fn encoded(value: f64) -> u8 {
    let value = value.clamp(0.0, 1.0);
    let value = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    (value * 255.0).round() as u8
}

/// The colour as it is seen.
fn seen(rgb: [u8; 3], by: &Matrix) -> [u8; 3] {
    let [r, g, b] = rgb.map(linear);
    by.map(|[from_r, from_g, from_b]| encoded(from_r * r + from_g * g + from_b * b))
}

fn foreground(theme: &Theme, role: StyleRole) -> [u8; 3] {
    to_rgb(theme.style(role).fg.unwrap()).unwrap()
}

/// The pair of roles that look most alike, with their distance.
fn nearest(theme: &Theme, vision: &Matrix) -> (f64, (StyleRole, StyleRole)) {
    let between = |(one, two)| {
        let [one, two] = [one, two].map(|role| seen(foreground(theme, role), vision));
        distance(one, two).sqrt()
    };
    let all = PAIRS.into_iter().map(|pair| (between(pair), pair));
    all.min_by(|one, two| one.0.total_cmp(&two.0)).unwrap()
}

/// The safe themes, each with the visions that it is made for.
fn safe_themes() -> Vec<(Theme, Vec<Matrix>)> {
    vec![
        (Theme::named("red-green-safe").unwrap(), vec![PROTANOPIA, DEUTERANOPIA]),
        (Theme::named("blue-yellow-safe").unwrap(), vec![TRITANOPIA]),
    ]
}

#[test]
fn roles_with_different_meanings_differ_for_the_visions_of_a_safe_theme() {
    let usual = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for (theme, visions) in safe_themes() {
        for vision in visions.iter().chain([&usual]) {
            let (least, pair) = nearest(&theme, vision);
            assert!(least >= LEAST, "{}: {pair:?} are {least:.3} apart", theme.name());
            for (role, _) in PAIRS {
                let [one, text] = [role, StyleRole::Text].map(|role| seen(foreground(&theme, role), vision));
                let apart = distance(one, text).sqrt();
                assert!(apart >= LEAST_FROM_TEXT, "{}: {role:?} is {apart:.3} from text", theme.name());
            }
        }
    }
}

#[test]
fn the_simulation_finds_the_usual_theme_wanting() {
    let dark = Theme::named("dark").unwrap();
    assert!(nearest(&dark, &DEUTERANOPIA).0 < LEAST / 2.0);
}
