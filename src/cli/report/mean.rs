//! The mean of known values.

/// The arithmetic mean; `None` for an empty slice.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    let count = u32::try_from(values.len()).ok().filter(|count| *count > 0)?;
    Some(values.iter().sum::<f64>() / f64::from(count))
}
