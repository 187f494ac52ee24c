//! What is fixed before the first episode.

use std::str::FromStr;

use super::window::{KeptWindow, parse_windows};
use mageyard_statistics::{ErrorSpending, Interval};

/// How smaller memory windows are compared with a larger one.
#[derive(Clone, Debug, clap::Args)]
pub struct ConfirmArgs {
    /// Windows to confirm, divided by `;`, such as 'am=1 om=1; am=2 om=1 keep="first"'
    #[arg(long, value_name = "WINDOWS", value_parser = CandidateWindows::from_str)]
    pub candidates: CandidateWindows,
    /// How much worse is still acceptable: points of the score (5), or a share of its range (5%)
    #[arg(long, value_name = "POINTS", value_parser = MarginSize::from_str)]
    pub margin: MarginSize,
    /// Window that they are compared with [default: that of the sessions, or of the settings]
    #[arg(long, value_name = "WINDOW", value_parser = KeptWindow::from_str)]
    pub reference: Option<KeptWindow>,
    /// Most pairs of episodes for each window
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=5000))]
    pub episodes: u32,
    /// How many times the pairs are evaluated, with equal numbers of new ones
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=50))]
    pub looks: u32,
    /// One-sided error of all windows and looks together
    #[arg(long, value_name = "SHARE", default_value_t = 0.025, value_parser = share)]
    pub alpha: f64,
    /// How the error is spent over the looks: obrien-fleming (late) or pocock (evenly)
    #[arg(long, value_name = "HOW", default_value = "obrien-fleming", value_parser = spending)]
    pub spending: ErrorSpending,
}

/// Candidates, at least one and each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateWindows(pub Vec<KeptWindow>);

impl FromStr for CandidateWindows {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse_windows(text).map(Self)
    }
}

/// A margin as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MarginSize {
    /// Points of the score.
    Points(f64),
    /// A share of the range of scores, above 0 and below 1.
    RangeShare(f64),
}

impl MarginSize {
    /// The margin in points for scores with this range; `None` for a share of an unknown range.
    pub(super) fn points(self, range: Option<Interval>) -> Option<f64> {
        match self {
            Self::Points(points) => Some(points),
            Self::RangeShare(share) => range.map(|range| share * (range.high - range.low)),
        }
    }
}

impl FromStr for MarginSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, is_share) = text.strip_suffix('%').map_or((text, false), |number| (number, true));
        let number = number.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
        match number {
            Some(percent) if is_share && percent < 100.0 => Ok(Self::RangeShare(percent / 100.0)),
            Some(points) if !is_share => Ok(Self::Points(points)),
            _ => {
                Err("write points of the score above 0, such as 5, or a share of its range, such as 5%"
                    .into())
            }
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| *share > 0.0 && *share <= 0.5);
    share.ok_or_else(|| "write a share above 0 and at most 0.5, such as 0.025".to_owned())
}

fn spending(text: &str) -> Result<ErrorSpending, String> {
    let all = [ErrorSpending::ObrienFleming, ErrorSpending::Pocock];
    let found = all.into_iter().find(|one| one.name() == text);
    found.ok_or_else(|| "obrien-fleming and pocock are the ways to spend it".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_points_or_a_share_of_the_range() {
        let range = Some(Interval { low: -50.0, high: 150.0 });
        let points = |text: &str| text.parse::<MarginSize>().unwrap().points(range);
        assert_eq!(["5", "2.5", "5%", "0.5 %"].map(points), [Some(5.0), Some(2.5), Some(10.0), Some(1.0)]);
        assert_eq!("5%".parse::<MarginSize>().unwrap().points(None), None);
        for text in ["", "0", "-1", "x", "100%", "inf"] {
            assert!(text.parse::<MarginSize>().is_err(), "{text}");
        }
        assert!(share("0").is_err() && share("0.6").is_err() && spending("late").is_err());
    }
}
