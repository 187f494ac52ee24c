//! Integer arrays of numpy, from the parts that a pickle has of them.

use super::gym_arrays::{Grid, MAX_SQUARES};
use super::pickle::{Id, Node, Pickle};

/// A two-dimensional array; an error is the reason.
pub(super) fn grid(pickle: &Pickle<'_>, id: Id) -> Result<Grid, String> {
    let (shape, cells) = array(pickle, id)?;
    match shape.as_slice() {
        &[rows, columns] if rows > 0 && columns > 0 => Ok(Grid { rows, columns, cells }),
        shape => Err(format!("an array of shape {shape:?}, expected rows and columns")),
    }
}

/// The numbers of an array of any shape, or of a tuple or list; at most as many as a room has squares,
/// since a file can refer to one value many times at little cost.
pub(super) fn numbers(pickle: &Pickle<'_>, id: Id) -> Option<Vec<i64>> {
    match pickle.node(id) {
        Node::Tuple(items) | Node::List(items) if items.len() > MAX_SQUARES => None,
        Node::Tuple(items) | Node::List(items) => items.iter().map(|item| number(pickle, *item)).collect(),
        _ => array(pickle, id).ok().map(|(_, cells)| cells),
    }
}

/// A Python or numpy integer.
pub(super) fn number(pickle: &Pickle<'_>, id: Id) -> Option<i64> {
    if let Node::Int(number) = pickle.node(id) {
        return Some(*number);
    }
    let ("numpy.core.multiarray" | "numpy._core.multiarray", "scalar", &[sort, data], _) =
        pickle.object(id)?
    else {
        return None;
    };
    let sort = NumberType::of(pickle, sort).ok()?;
    sort.number(&bytes(pickle, data, sort.size)?)
}

/// The parts of an array.
struct ArrayParts {
    shape: Id,
    sort: Id,
    data: Id,
    /// Column by column, as in Fortran.
    by_columns: bool,
}

fn array(pickle: &Pickle<'_>, id: Id) -> Result<(Vec<usize>, Vec<i64>), String> {
    let ArrayParts { shape, sort, data, by_columns } =
        parts(pickle, id).ok_or("not a numpy array of a known form")?;
    let shape = shape_of(pickle, shape)?;
    let sort = NumberType::of(pickle, sort)?;
    let count: usize = shape.iter().product();
    let Some(data) = bytes(pickle, data, count * sort.size) else {
        return Err(format!("an array of shape {shape:?} whose data are not {} bytes", count * sort.size));
    };
    let cells: Option<Vec<i64>> = data.chunks_exact(sort.size).map(|cell| sort.number(cell)).collect();
    let cells = cells.ok_or("a number that is too large")?;
    match shape.as_slice() {
        &[rows, columns] if by_columns => {
            let turned = (0..count).map(|at| cells[at % columns * rows + at / columns]).collect();
            Ok((shape, turned))
        }
        _ => Ok((shape, cells)),
    }
}

/// The two forms in which numpy pickles arrays: up to protocol 4 with a state, in protocol 5 with
/// everything as arguments.
fn parts(pickle: &Pickle<'_>, id: Id) -> Option<ArrayParts> {
    match pickle.object(id)? {
        ("numpy.core.multiarray" | "numpy._core.multiarray", "_reconstruct", _, state) => {
            let &[_, shape, sort, by_columns, data] = pickle.tuple(state?)? else { return None };
            let by_columns = matches!(pickle.node(by_columns), Node::Bool(true) | Node::Int(1));
            Some(ArrayParts { shape, sort, data, by_columns })
        }
        ("numpy.core.numeric" | "numpy._core.numeric", "_frombuffer", &[data, sort, shape, order], _) => {
            Some(ArrayParts { shape, sort, data, by_columns: pickle.text(order)? == "F" })
        }
        _ => None,
    }
}

fn shape_of(pickle: &Pickle<'_>, id: Id) -> Result<Vec<usize>, String> {
    let sides = numbers(pickle, id).unwrap_or_default();
    let shape: Option<Vec<usize>> = sides.iter().map(|side| usize::try_from(*side).ok()).collect();
    let shape = shape.filter(|shape| !shape.is_empty() && shape.len() <= 2).unwrap_or_default();
    let count = shape.iter().try_fold(1_usize, |count, side| count.checked_mul(*side));
    match count {
        _ if shape.is_empty() => Err("an array of an invalid shape".to_owned()),
        Some(count) if count <= MAX_SQUARES => Ok(shape),
        _ => Err(format!("an array of shape {shape:?}; the maximum is {MAX_SQUARES} numbers")),
    }
}

/// Exactly `count` bytes, also where protocol 2 wrote them as a string of one character per byte.
fn bytes(pickle: &Pickle<'_>, id: Id, count: usize) -> Option<Vec<u8>> {
    let bytes = match (pickle.node(id), pickle.object(id)) {
        (Node::Bytes(bytes), _) => bytes.to_vec(),
        (_, Some(("_codecs", "encode", &[text, form], _))) if pickle.text(form)? == "latin1" => {
            let text = pickle.text(text)?;
            text.chars().take(count + 1).map(|c| u8::try_from(c).ok()).collect::<Option<_>>()?
        }
        _ => return None,
    };
    (bytes.len() == count).then_some(bytes)
}

/// An integer type.
struct NumberType {
    is_signed: bool,
    /// Bytes per number.
    size: usize,
    /// Whether the highest byte comes first.
    big_endian: bool,
}

impl NumberType {
    fn of(pickle: &Pickle<'_>, id: Id) -> Result<Self, String> {
        let strange = || "an array without a known number type".to_owned();
        let ("numpy", "dtype", &[code, ..], state) = pickle.object(id).ok_or_else(strange)? else {
            return Err(strange());
        };
        let code = pickle.text(code).ok_or_else(strange)?;
        let order = state.and_then(|state| pickle.text(*pickle.tuple(state)?.get(1)?));
        let big = order == Some(">") || code.starts_with('>');
        let (is_signed, size) = match code.trim_start_matches(['<', '>', '|', '=']) {
            "b1" | "u1" => (false, 1),
            "i1" => (true, 1),
            "i2" => (true, 2),
            "u2" => (false, 2),
            "i4" => (true, 4),
            "u4" => (false, 4),
            "i8" => (true, 8),
            "u8" => (false, 8),
            _ => return Err(format!("an array of {code:?}; a room has whole numbers (i1 to i8, u1 to u8)")),
        };
        Ok(Self { is_signed, size, big_endian: big })
    }

    fn number(&self, cell: &[u8]) -> Option<i64> {
        let highest_first = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        let plain = if self.big_endian {
            cell.iter().fold(0, highest_first)
        } else {
            cell.iter().rev().fold(0, highest_first)
        };
        let unused = 64 - 8 * self.size;
        if self.is_signed {
            Some((plain << unused).cast_signed() >> unused)
        } else {
            i64::try_from(plain).ok()
        }
    }
}
