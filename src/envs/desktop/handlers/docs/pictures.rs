//! The pixels of pictures.

use std::io::Cursor;

use image::{DynamicImage, ImageReader, Limits};

use super::open::{FILES, Pair};
use super::{Case, Finding, Params, Rules};

/// There are as many pictures, in the order of the text, and each has the size and the pixels of the other. The released code
/// takes the order of the archive and compares the bytes of the pixels alone: neither size nor palette.
pub(super) fn compare_docx_images(params: &Params<'_>, case: &mut Case<'_>) -> Result<(), Finding> {
    let pair = Pair::read(params, case, FILES)?;
    let expected = &pair.reference.pictures;
    let found = &pair.made.pictures;
    if expected.len() != found.len() {
        return Err(Finding::Fail(format!(
            "there are {} pictures, expected are {}",
            found.len(),
            expected.len()
        )));
    }
    for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
        if expected != found {
            same_picture(expected, found, index + 1, case.rules)?;
        }
    }
    Ok(())
}

fn same_picture(expected: &[u8], found: &[u8], place: usize, rules: Rules) -> Result<(), Finding> {
    let expected = decoded(expected).map_err(|error| {
        Finding::Error(format!("picture {place} of the reference cannot be compared ({error})"))
    })?;
    let found = decoded(found).map_err(|error| {
        let sentence = format!("picture {place} is not that of the reference, and cannot be read ({error})");
        if rules == Rules::Code { Finding::Error(sentence) } else { Finding::Fail(sentence) }
    })?;
    let size = |picture: &DynamicImage| (picture.width(), picture.height());
    let is_same = match rules {
        Rules::Code => expected.as_bytes() == found.as_bytes(),
        Rules::Standard if size(&expected) != size(&found) => {
            let (width, height) = size(&expected);
            let (found_width, found_height) = size(&found);
            return Err(Finding::Fail(format!(
                "picture {place} has {found_width} x {found_height} pixels, expected are {width} x {height}"
            )));
        }
        Rules::Standard => expected.to_rgba16() == found.to_rgba16(),
    };
    if is_same {
        Ok(())
    } else {
        Err(Finding::Fail(format!("picture {place} has other pixels than expected")))
    }
}

/// The longest side of a picture that is compared, in pixels.
const LONGEST_SIDE: u32 = 10_000;
/// The memory that one picture may take, in bytes.
const MEMORY: u64 = 256 << 20;

/// A picture, if it is PNG or JPEG and within the limits.
pub(in crate::handlers) fn decoded(bytes: &[u8]) -> Result<DynamicImage, String> {
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string())?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(MEMORY);
    reader.limits(limits);
    reader.decode().map_err(|error| mageyard_domain::sanitize(&error.to_string()).into_owned())
}
