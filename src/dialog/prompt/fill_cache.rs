//! A cache of one filled prompt text: the requests of an episode nearly always fill it with the same values.

use std::sync::{Arc, OnceLock};

use super::variables::VariableValues;
use mageyard_domain::{ActionSpace, ReplyFormat, StateWords};

/// The text that a template was first filled to, with its values. For templates without a value that changes at every
/// step. A clone starts empty, and comparisons of templates ignore it.
#[derive(Debug, Default)]
pub(super) struct FillCache(OnceLock<Filled>);

/// A filled text and the values in it.
#[derive(Debug)]
struct Filled {
    words: StateWords,
    space: ActionSpace,
    form: ReplyFormat,
    text: Arc<str>,
}

impl FillCache {
    /// The cached text if it has these values, else a newly filled one. The first filling is cached.
    pub(super) fn get_or_fill(
        &self,
        words: &StateWords,
        values: &VariableValues<'_>,
        fill: impl Fn() -> Arc<str>,
    ) -> Arc<str> {
        let first = self.0.get_or_init(|| Filled {
            words: words.clone(),
            space: values.action_space.clone(),
            form: values.reply_format.clone(),
            text: fill(),
        });
        if first.has(words, values) { first.text.clone() } else { fill() }
    }
}

impl Filled {
    fn has(&self, words: &StateWords, values: &VariableValues<'_>) -> bool {
        let VariableValues { action_space: space, reply_format: form, .. } = *values;
        let is_same_space = std::ptr::eq(self.space.specs(), space.specs()) || self.space == *space;
        is_same_space && self.form == *form && self.words == *words
    }
}

impl Clone for FillCache {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for FillCache {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for FillCache {}

#[cfg(test)]
mod tests {
    use super::super::template::Template;
    use super::*;

    #[test]
    fn a_text_is_filled_again_only_with_other_values() {
        let template = Template::new("{picture} Choose one of {actions}. {format}");
        let few = ActionSpace::new(&[("Up", "")]);
        let more = ActionSpace::new(&[("Up", ""), ("Down", "")]);
        let (one, list) =
            (ReplyFormat::headings("# a", "# b", false), ReplyFormat::headings("# a", "# b", true));
        let words = |picture: &str| StateWords { picture: picture.into(), ..StateWords::default() };
        let fill = |picture, action_space, reply_format, steps_left| {
            template.fill(
                &words(picture),
                &VariableValues { action_space, reply_format, steps_left, exact_words: true },
            )
        };
        let first = fill("A wall.", &few, &one, 9);
        assert!(first.starts_with("A wall. Choose one of Up. # a"), "{first}");
        let same_space = ActionSpace::new(&[("Up", "")]);
        let same_form = one.clone();
        assert!(Arc::ptr_eq(&fill("A wall.", &same_space, &same_form, 8), &first));
        assert!(fill("A box.", &few, &one, 8).starts_with("A box."));
        assert!(fill("A box.", &more, &one, 8).contains("one of Up, Down."));
        assert_ne!(fill("A box.", &more, &list, 8), fill("A box.", &more, &one, 8));
        assert_eq!(fill("A wall.", &few, &one, 7), first);
    }

    #[test]
    fn a_text_with_the_steps_that_are_left_is_filled_each_time() {
        let template = Template::new("{steps_left} left");
        let space = ActionSpace::new(&[]);
        let form = ReplyFormat::headings("# a", "# b", false);
        let fill = |steps_left| {
            template.fill(
                &StateWords::default(),
                &VariableValues { action_space: &space, reply_format: &form, steps_left, exact_words: true },
            )
        };
        assert_eq!([fill(3), fill(2)], ["3 left".into(), "2 left".into()]);
    }
}
