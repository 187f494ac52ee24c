//! One channel of a picture, and the structural similarity of two.

/// One channel, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plane {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) samples: Vec<u8>,
}

/// The usual side of a window in pixels.
pub(super) const SIDE: usize = 7;

/// The size of the windows in which structure is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Window {
    /// The usual one.
    pub(super) const SQUARE: Self = Self { width: SIDE, height: SIDE };
    /// Each column of a picture for itself: what becomes of a picture with one channel whose last axis is taken for the
    /// channels.
    pub(super) const COLUMN: Self = Self { width: 1, height: SIDE };

    /// The usual one, or the largest with an odd side that fits a small picture.
    pub(super) fn fitting(plane: &Plane) -> Self {
        let odd = |side: usize| side.min(SIDE).div_ceil(2) * 2 - 1;
        let side = odd(plane.width.min(plane.height).max(1));
        Self { width: side, height: side }
    }
}

/// Sums of the samples in a column or a window: of both, their squares and their product.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    a: i64,
    b: i64,
    aa: i64,
    bb: i64,
    ab: i64,
}

impl Sums {
    fn add(&mut self, a: u8, b: u8, sign: i64) {
        let (a, b) = (i64::from(a), i64::from(b));
        self.a += sign * a;
        self.b += sign * b;
        self.aa += sign * a * a;
        self.bb += sign * b * b;
        self.ab += sign * a * b;
    }

    fn add_all(&mut self, other: &Self, sign: i64) {
        self.a += sign * other.a;
        self.b += sign * other.b;
        self.aa += sign * other.aa;
        self.bb += sign * other.bb;
        self.ab += sign * other.ab;
    }

    /// The similarity of a window of so many samples (Wang et al. 2004, equation 13, K1 = 0.01, K2 = 0.03, L = 255), with
    /// the sample covariance, as scikit-image has it.
    #[expect(clippy::cast_precision_loss, reason = "sums over a window are small")]
    fn similarity(&self, samples: f64) -> f64 {
        const C1: f64 = (0.01 * 255.0) * (0.01 * 255.0);
        const C2: f64 = (0.03 * 255.0) * (0.03 * 255.0);
        let mean = |sum: i64| sum as f64 / samples;
        // One sample has no covariance.
        let sample = if samples > 1.0 { samples / (samples - 1.0) } else { 1.0 };
        let (a, b) = (mean(self.a), mean(self.b));
        let var_a = sample * (mean(self.aa) - a * a);
        let var_b = sample * (mean(self.bb) - b * b);
        let covar = sample * (mean(self.ab) - a * b);
        let above = (2.0 * a * b + C1) * (2.0 * covar + C2);
        let below = (a * a + b * b + C1) * (var_a + var_b + C2);
        above / below
    }
}

/// The mean structural similarity of two channels over all windows that are inside, from -1 to 1. `None` if the sizes
/// differ or no window fits.
pub(super) fn similarity(a: &Plane, b: &Plane, window: Window) -> Option<f64> {
    let same = (a.width, a.height) == (b.width, b.height);
    if !same || window.width == 0 || a.width < window.width || a.height < window.height {
        return None;
    }
    let rows_a: Vec<&[u8]> = a.samples.chunks(a.width).collect();
    let rows_b: Vec<&[u8]> = b.samples.chunks(b.width).collect();
    let mut columns = vec![Sums::default(); a.width];
    let mut total = 0.0;
    let mut count = 0.0;
    for (index, (row_a, row_b)) in rows_a.iter().zip(&rows_b).enumerate() {
        add_row(&mut columns, row_a, row_b, 1);
        let Some(first) = (index + 1).checked_sub(window.height) else { continue };
        let (sum, windows) = row_similarity(&columns, window);
        total += sum;
        count += windows;
        if let (Some(row_a), Some(row_b)) = (rows_a.get(first), rows_b.get(first)) {
            add_row(&mut columns, row_a, row_b, -1);
        }
    }
    Some(total / count)
}

fn add_row(columns: &mut [Sums], a: &[u8], b: &[u8], sign: i64) {
    for (column, (a, b)) in columns.iter_mut().zip(a.iter().zip(b)) {
        column.add(*a, *b, sign);
    }
}

/// The sum of the similarities of the windows of a row, and their number.
#[expect(clippy::cast_precision_loss, reason = "windows have few samples")]
fn row_similarity(columns: &[Sums], window: Window) -> (f64, f64) {
    let samples = (window.width * window.height) as f64;
    let mut sums = Sums::default();
    let mut total = 0.0;
    let mut count = 0.0;
    for (index, column) in columns.iter().enumerate() {
        sums.add_all(column, 1);
        let Some(first) = (index + 1).checked_sub(window.width) else { continue };
        total += sums.similarity(samples);
        count += 1.0;
        if let Some(column) = columns.get(first) {
            sums.add_all(column, -1);
        }
    }
    (total, count)
}
