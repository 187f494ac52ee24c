//! An output that counts its bytes.

use std::cell::Cell;
use std::io;
use std::io::Write;
use std::rc::Rc;

/// An output and the number of bytes that were written to it.
#[derive(Debug)]
pub(super) struct CountedOutput<W> {
    out: W,
    count: Rc<Cell<usize>>,
}

impl<W> CountedOutput<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, count: Rc::default() }
    }

    /// The number of bytes so far, which goes on counting.
    pub(super) fn count(&self) -> Rc<Cell<usize>> {
        self.count.clone()
    }
}

impl<W: Write> Write for CountedOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.count.set(self.count.get() + written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
