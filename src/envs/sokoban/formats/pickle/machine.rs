//! The machine: executes one instruction after the other, up to the last one.

use rustc_hash::FxHashMap;

use super::allowed::is_allowed;
use super::cursor::{Cursor, signed};
use super::node::{Id, Node, Pickle};
use super::refuse;
use super::refused_instructions::refusal;
use mageyard_domain::LevelFormatError;

/// The most instructions of a file; a saved environment has about a thousand.
const MAX_INSTRUCTIONS: usize = 1_000_000;
/// The most nodes.
const MAX_NODES: usize = 250_000;
/// The most memoised values.
const MAX_MEMO: usize = 100_000;
/// The most collections nested in each other.
const MAX_DEPTH: usize = 256;

type Executed = Result<(), LevelFormatError>;

pub(super) struct Machine<'a> {
    cursor: Cursor<'a>,
    /// The offset of the current instruction.
    at: usize,
    nodes: Vec<(usize, Node<'a>)>,
    stack: Vec<Id>,
    /// Stack heights at which collections began.
    marks: Vec<usize>,
    memo: FxHashMap<u64, Id>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let cursor = Cursor::new(bytes);
        Self { cursor, at: 0, nodes: vec![], stack: vec![], marks: vec![], memo: FxHashMap::default() }
    }

    pub(super) fn run(mut self) -> Result<Pickle<'a>, LevelFormatError> {
        for _ in 0..MAX_INSTRUCTIONS {
            self.at = self.cursor.at;
            if self.cursor.left() == 0 {
                return refuse(self.at, "the file ends before its last instruction");
            }
            match self.cursor.byte()? {
                b'.' => return self.end(),
                code => self.execute(code)?,
            }
        }
        refuse(self.at, format!("more than {MAX_INSTRUCTIONS} instructions"))
    }

    fn end(mut self) -> Result<Pickle<'a>, LevelFormatError> {
        let root = self.pop()?;
        match (self.stack.len(), self.cursor.left()) {
            (0, 0) => Ok(Pickle { nodes: self.nodes, root }),
            (0, left) => refuse(self.cursor.at, format!("{left} bytes follow the end of the pickle")),
            (more, _) => refuse(self.at, format!("{more} values are left over at the end")),
        }
    }

    fn execute(&mut self, code: u8) -> Executed {
        match code {
            0x80 => self.protocol(),
            0x95 => self.frame(),
            b'N' | 0x88 | 0x89 | b'J' | b'K' | b'M' | b'G' | 0x8a | 0x8b => self.scalar(code),
            b'X' | 0x8c | 0x8d | b'B' | b'C' | 0x8e | 0x96 | b'T' | b'U' => self.run_of(code),
            b'(' | b'0' | b'1' => self.arrange(code),
            b')' | 0x85..=0x87 | b't' | b']' | b'}' | 0x8f | 0x91 => self.collect(code),
            b'a' | b'e' | b's' | b'u' | 0x90 => self.fill(code),
            b'q' | b'r' | b'h' | b'j' | 0x94 => self.remember(code),
            b'c' | 0x93 => self.name(code),
            b'R' | 0x81 | 0x92 => self.make(code),
            b'b' => self.build(),
            code => refuse(self.at, refusal(code)),
        }
    }

    fn protocol(&mut self) -> Executed {
        match self.cursor.byte()? {
            2..=5 => Ok(()),
            other => refuse(self.at, format!("protocol {other}; supported are 2 to 5")),
        }
    }

    fn frame(&mut self) -> Executed {
        let length = self.cursor.number(8)?;
        let left = self.cursor.left();
        if length > left as u64 {
            return refuse(self.at, format!("a frame of {length} bytes, and {left} are left"));
        }
        Ok(())
    }

    fn scalar(&mut self, code: u8) -> Executed {
        let node = match code {
            b'N' => Node::None,
            0x88 | 0x89 => Node::Bool(code == 0x88),
            b'J' => Node::Int(signed(self.cursor.take(4)?).unwrap_or_default()),
            b'K' => Node::Int(i64::from(self.cursor.byte()?)),
            b'M' => Node::Int(self.cursor.number(2)?.cast_signed()),
            0x8a => signed(self.cursor.counted(1)?).map_or(Node::Number, Node::Int),
            0x8b => signed(self.cursor.counted(4)?).map_or(Node::Number, Node::Int),
            _ => {
                self.cursor.take(8)?;
                Node::Number
            }
        };
        self.push(node)
    }

    fn run_of(&mut self, code: u8) -> Executed {
        let node = match code {
            0x8c => Node::Text(self.cursor.text(1)?),
            b'X' => Node::Text(self.cursor.text(4)?),
            0x8d => Node::Text(self.cursor.text(8)?),
            b'C' | b'U' => Node::Bytes(self.cursor.counted(1)?),
            b'B' | b'T' => Node::Bytes(self.cursor.counted(4)?),
            _ => Node::Bytes(self.cursor.counted(8)?),
        };
        self.push(node)
    }

    fn arrange(&mut self, code: u8) -> Executed {
        match code {
            b'(' if self.marks.len() == MAX_DEPTH => {
                refuse(self.at, format!("more than {MAX_DEPTH} nested collections"))
            }
            b'(' => {
                self.marks.push(self.stack.len());
                Ok(())
            }
            b'1' => self.marked().map(drop),
            _ => self.pop().map(drop),
        }
    }

    fn collect(&mut self, code: u8) -> Executed {
        let node = match code {
            b')' => Node::Tuple(vec![]),
            b']' => Node::List(vec![]),
            b'}' => Node::Dict(vec![]),
            0x8f => Node::Set(vec![]),
            0x91 => Node::Set(self.marked()?),
            b't' => Node::Tuple(self.marked()?),
            short => Node::Tuple(self.several(usize::from(short - 0x84))?),
        };
        self.push(node)
    }

    /// Appends the values on the stack to the collection below them.
    fn fill(&mut self, code: u8) -> Executed {
        let items = match code {
            b'a' => self.several(1)?,
            b's' => self.several(2)?,
            _ => self.marked()?,
        };
        let at = self.at;
        let is_dict = matches!(code, b's' | b'u');
        let pairs = || items.chunks_exact(2).map(|pair| (pair[0], pair[1]));
        if is_dict && items.len() % 2 == 1 {
            return refuse(at, "a key without a value");
        }
        match (self.top()?, is_dict) {
            (Node::List(list), false) if code != 0x90 => list.extend(items),
            (Node::Set(set), false) if code == 0x90 => set.extend(items),
            (Node::Dict(dict), true) => dict.extend(pairs()),
            (Node::Object { items: held, .. }, true) => held.extend(pairs()),
            (Node::Object { items: held, .. }, false) => held.extend(items.iter().map(|item| (*item, *item))),
            _ => return refuse(at, "items for a value that is not such a collection"),
        }
        Ok(())
    }

    fn remember(&mut self, code: u8) -> Executed {
        let key = match code {
            b'q' | b'h' => self.cursor.number(1)?,
            b'r' | b'j' => self.cursor.number(4)?,
            _ => self.memo.len() as u64,
        };
        if matches!(code, b'h' | b'j') {
            let Some(id) = self.memo.get(&key) else {
                return refuse(self.at, format!("no value was stored under number {key}"));
            };
            self.stack.push(*id);
            return Ok(());
        }
        let id = self.peek()?;
        self.memo.insert(key, id);
        if self.memo.len() > MAX_MEMO {
            refuse(self.at, format!("more than {MAX_MEMO} memoised values"))
        } else {
            Ok(())
        }
    }

    fn name(&mut self, code: u8) -> Executed {
        let (module, name) = if code == b'c' {
            (self.cursor.line()?, self.cursor.line()?)
        } else {
            match self.several(2)?.as_slice() {
                &[module, name] => (self.spelt(module)?, self.spelt(name)?),
                _ => return refuse(self.at, "a name without its module"),
            }
        };
        if !is_allowed(module, name) {
            let what = format!(
                "{module}.{name}: saved environments do not contain this name, so the file is refused"
            );
            return refuse(self.at, what);
        }
        self.push(Node::Name { module, name })
    }

    fn spelt(&self, id: Id) -> Result<&'a str, LevelFormatError> {
        match self.nodes.get(id) {
            Some((_, Node::Text(text))) => Ok(text),
            _ => refuse(self.at, "a name that is not text"),
        }
    }

    /// Records what would be called, with its arguments. Nothing is called.
    fn make(&mut self, code: u8) -> Executed {
        if code == 0x92 {
            self.pop()?;
        }
        let arguments = self.pop()?;
        let by = self.pop()?;
        match (&self.nodes[by].1, &self.nodes[arguments].1) {
            (Node::Name { .. }, Node::Tuple(_)) => {
                self.push(Node::Object { by, arguments, state: None, items: vec![] })
            }
            (Node::Name { .. }, _) => refuse(self.at, "arguments that are not a tuple"),
            _ => refuse(self.at, "the called value is not a name"),
        }
    }

    fn build(&mut self) -> Executed {
        let at = self.at;
        let given = self.pop()?;
        match self.top()? {
            Node::Object { state: state @ None, .. } => *state = Some(given),
            Node::Object { .. } => return refuse(at, "a second state for the same object"),
            _ => return refuse(at, "a state for a value that is not an object"),
        }
        Ok(())
    }

    fn push(&mut self, node: Node<'a>) -> Executed {
        if self.nodes.len() == MAX_NODES {
            return refuse(self.at, format!("more than {MAX_NODES} values"));
        }
        self.stack.push(self.nodes.len());
        self.nodes.push((self.at, node));
        Ok(())
    }

    /// The lowest stack entry of the current collection.
    fn floor(&self) -> usize {
        self.marks.last().copied().unwrap_or(0)
    }

    fn peek(&self) -> Result<Id, LevelFormatError> {
        let own = self.stack.get(self.floor()..).unwrap_or_default();
        own.last().copied().map_or_else(|| refuse(self.at, "the stack is empty"), Ok)
    }

    fn pop(&mut self) -> Result<Id, LevelFormatError> {
        let id = self.peek()?;
        self.stack.pop();
        Ok(id)
    }

    fn top(&mut self) -> Result<&mut Node<'a>, LevelFormatError> {
        let id = self.peek()?;
        Ok(&mut self.nodes[id].1)
    }

    fn several(&mut self, count: usize) -> Result<Vec<Id>, LevelFormatError> {
        let mut ids: Vec<Id> = (0..count).map(|_| self.pop()).collect::<Result<_, _>>()?;
        ids.reverse();
        Ok(ids)
    }

    /// Pops everything above the last mark, and the mark.
    fn marked(&mut self) -> Result<Vec<Id>, LevelFormatError> {
        match self.marks.pop() {
            Some(mark) => Ok(self.stack.split_off(mark)),
            None => refuse(self.at, "a collection ends without a beginning"),
        }
    }
}
