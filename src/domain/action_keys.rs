//! Replies that are one object with a key for each part of an action: its name, the number of an element, and a text.

use std::borrow::Cow;

use super::reply_format::{json_action, json_text};
use super::{Action, ActionSpace, ActionSpec, Arg, ParamKind, ParamSpec, ReplyFormat};

/// The keys of an object with an action, beside those of the analysis and of the name
/// ([`Delimiter::Keys`](crate::Delimiter::Keys)).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionKeys {
    /// The key of the number of an element.
    pub element: Cow<'static, str>,
    /// The parameter that takes this number, if it is a whole number.
    pub parameter: Cow<'static, str>,
    /// The key of the other argument.
    pub input: Cow<'static, str>,
    /// The key of a description of the action, which is not read.
    pub remark: Cow<'static, str>,
}

/// The parameters of an action whose arguments are under keys of their own.
#[derive(Clone, Copy, Debug)]
pub struct KeyedParams<'a> {
    /// The one that takes the number of an element.
    pub element: Option<&'a ParamSpec>,
    /// The other one.
    pub input: Option<&'a ParamSpec>,
}

impl ActionKeys {
    /// The keys of `WebCanvas`.
    pub const WEB: Self = Self {
        element: Cow::Borrowed("element_id"),
        parameter: Cow::Borrowed("id"),
        input: Cow::Borrowed("action_input"),
        remark: Cow::Borrowed("description"),
    };

    /// How the parameters of an action are divided among the keys. `None` if it has none, or if they do not fit: more than
    /// one beside that of the element, a point, or code. Such an action is written whole under the key of its name.
    pub fn divide<'a>(&self, spec: &'a ActionSpec) -> Option<KeyedParams<'a>> {
        let is_element = |param: &&ParamSpec| {
            param.name == *self.parameter && matches!(param.kind, ParamKind::Number { integer: true, .. })
        };
        let element = spec.params.iter().find(is_element);
        let mut others = spec.params.iter().filter(|param| !is_element(param));
        let input = others.next();
        let fits =
            |param: &ParamSpec| !matches!(param.kind, ParamKind::Point { .. } | ParamKind::Code { .. });
        let divided = !spec.params.is_empty() && others.next().is_none() && input.is_none_or(fits);
        divided.then_some(KeyedParams { element, input })
    }

    /// One object with all keys. A list is an array of whole actions.
    pub(super) fn object(
        &self,
        format: &ReplyFormat,
        reason: &str,
        actions: &[Action],
        space: &ActionSpace,
    ) -> String {
        let Self { element, input, remark, .. } = self;
        let one = actions.first().filter(|_| !format.list);
        let spec = one.and_then(|action| space.spec(&action.name));
        let whole = |action: &Action| {
            if action.args.is_empty() { json_text(&action.name) } else { json_action(action) }
        };
        let divided = one.zip(spec.and_then(|spec| self.divide(spec)));
        let values = match (divided, one) {
            (Some((action, params)), _) => {
                let value = |param: Option<&ParamSpec>| {
                    let arg = param.and_then(|param| action.args.get(&param.name));
                    arg.map_or_else(|| "null".to_owned(), Arg::to_string)
                };
                [json_text(&action.name), value(params.input), value(params.element)]
            }
            (None, Some(action)) => [whole(action), json_text(""), "null".to_owned()],
            (None, None) => {
                let all = actions.iter().map(whole).collect::<Vec<_>>().join(", ");
                [format!("[{all}]"), json_text(""), "null".to_owned()]
            }
        };
        let keys = [&format.analysis, &format.action, input, element, remark].map(|key| json_text(key));
        let [name, text, number] = values;
        let help = spec.map_or("", |spec| &spec.help);
        let values = [json_text(reason), name, text, number, json_text(help)];
        let rows = keys.iter().zip(values).map(|(key, value)| format!("{key}: {value}"));
        format!("{{{}}}\n", rows.collect::<Vec<_>>().join(", "))
    }
}
