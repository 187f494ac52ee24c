//! The values of a pickle: nodes in a list, which refer to each other by index.

/// A node's index.
pub(in super::super) type Id = usize;

/// A value of a pickle. Texts and bytes borrow from the file.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum Node<'a> {
    None,
    Bool(bool),
    Int(i64),
    /// A number that is not needed here: a float, or an integer of more than 64 bits.
    Number,
    Text(&'a str),
    Bytes(&'a [u8]),
    Tuple(Vec<Id>),
    List(Vec<Id>),
    Set(Vec<Id>),
    Dict(Vec<(Id, Id)>),
    /// A module and a name in it.
    Name {
        module: &'a str,
        name: &'a str,
    },
    /// An object that Python would have created by calling `by` with these arguments, and then given this
    /// state and these items. Nothing has been called.
    Object {
        by: Id,
        arguments: Id,
        state: Option<Id>,
        items: Vec<(Id, Id)>,
    },
}

/// A parsed pickle.
#[derive(Debug)]
pub(in super::super) struct Pickle<'a> {
    pub(super) nodes: Vec<(usize, Node<'a>)>,
    pub(super) root: Id,
}

impl<'a> Pickle<'a> {
    /// The root value.
    pub(in super::super) fn root(&self) -> Id {
        self.root
    }

    pub(in super::super) fn node(&self, id: Id) -> &Node<'a> {
        self.nodes.get(id).map_or(&Node::None, |(_, node)| node)
    }

    /// The byte offset of a node.
    pub(in super::super) fn byte(&self, id: Id) -> usize {
        self.nodes.get(id).map_or(0, |(byte, _)| *byte)
    }

    pub(in super::super) fn text(&self, id: Id) -> Option<&'a str> {
        match self.node(id) {
            Node::Text(text) => Some(text),
            // Python 2 wrote names as bytes.
            Node::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    pub(in super::super) fn tuple(&self, id: Id) -> Option<&[Id]> {
        match self.node(id) {
            Node::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// Module and name of an object's class or constructor, its arguments and its state.
    pub(in super::super) fn object(&self, id: Id) -> Option<(&'a str, &'a str, &[Id], Option<Id>)> {
        let Node::Object { by, arguments, state, .. } = self.node(id) else { return None };
        let Node::Name { module, name } = self.node(*by) else { return None };
        Some((module, name, self.tuple(*arguments)?, *state))
    }

    /// The value under a key of a dictionary; the last entry counts, as in Python.
    pub(in super::super) fn get(&self, dict: Id, key: &str) -> Option<Id> {
        let Node::Dict(pairs) = self.node(dict) else { return None };
        pairs.iter().rev().find(|(found, _)| self.text(*found) == Some(key)).map(|(_, value)| *value)
    }

    /// An attribute of an object, or an entry of a dictionary.
    pub(in super::super) fn attribute(&self, id: Id, name: &str) -> Option<Id> {
        let Node::Object { state: Some(state), .. } = self.node(id) else { return self.get(id, name) };
        // An object with slots has two dictionaries.
        let parts = self.tuple(*state).unwrap_or(std::slice::from_ref(state));
        parts.iter().find_map(|part| self.get(*part, name))
    }
}
