//! Quantiles of the normal distribution and of Student's t.

use std::f64::consts::SQRT_2;

use libm::{erfc, lgamma};

/// How often an interval is halved: until it cannot be smaller.
const HALVINGS: usize = 80;

/// The probability of a standard normal value below `x`.
pub(super) fn normal_probability(x: f64) -> f64 {
    0.5 * erfc(-x / SQRT_2)
}

/// The standard normal value below which the probability is `p`, for 0 < p < 1.
pub(super) fn normal_quantile(p: f64) -> f64 {
    quantile(p, normal_probability)
}

/// The value of Student's t with `df` degrees of freedom below which the probability is `p`, for 0 < p < 1.
pub(super) fn t_quantile(p: f64, df: f64) -> f64 {
    quantile(p, |t| t_probability(t, df))
}

/// The beta value with parameters `a` and `b`, both above 0, below which the probability is `p`, for 0 < p < 1.
pub(super) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let mut low = 0.0;
    let mut high = 1.0;
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if beta_share(middle, a, b) < p { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The probability of Student's t below `t`.
pub(super) fn t_probability(t: f64, df: f64) -> f64 {
    let beyond = 0.5 * beta_share(df / (df + t * t), df / 2.0, 0.5);
    if t > 0.0 { 1.0 - beyond } else { beyond }
}

/// Finds the quantile of a symmetric distribution by halving. The lower tail is searched, where probabilities are exact.
fn quantile(p: f64, probability: impl Fn(f64) -> f64) -> f64 {
    if p > 0.5 {
        return -quantile(1.0 - p, probability);
    }
    let mut low = -1.0;
    while probability(low) > p {
        low *= 2.0;
    }
    let mut high = 0.0;
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if probability(middle) < p { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The regularized incomplete beta function, by its continued fraction (Abramowitz and Stegun 26.5.8).
fn beta_share(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_share(1.0 - x, b, a);
    }
    let scale = lgamma(a + b) - lgamma(a) - lgamma(b) + a * x.ln() + b * (-x).ln_1p();
    scale.exp() / (a * beta_fraction(x, a, b))
}

/// The continued fraction 1 + d1 / (1 + d2 / (1 + …)), from its end. It needs about as many terms as the root of the
/// larger parameter (Press et al. 2007, section 6.4).
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let mut m = 100.0 + a.max(b).sqrt().floor();
    std::iter::from_fn(|| {
        m -= 1.0;
        (m >= 0.0).then_some(m + 1.0)
    })
    .fold(1.0, |below, m| {
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let m = m - 1.0;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        1.0 + odd / (1.0 + even / below)
    })
}
