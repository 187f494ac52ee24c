//! What is wrong with a record although it can be read: elements outside of their picture, empty ones, pictures that are
//! missing, and fields that are not known.

use std::marker::PhantomData;
use std::sync::Arc;

use async_trait::async_trait;

use super::environment::picture;
use super::{Kind, levels, question_of};
use mageyard_domain::{EnvironmentContext, EnvironmentError, Level, LevelCheck, Options};

/// The check of a kind of record.
pub(super) struct RecordCheck<K>(pub(super) PhantomData<K>);

#[async_trait]
impl<K: Kind> LevelCheck for RecordCheck<K> {
    async fn check(
        &self,
        level: &Level,
        options: &Options,
        context: &EnvironmentContext,
    ) -> Result<Vec<String>, EnvironmentError> {
        Ok(findings::<K>(level, options, context))
    }
}

fn findings<K: Kind>(level: &Level, options: &Options, context: &EnvironmentContext) -> Vec<String> {
    let question = match question_of::<K>(level, options) {
        Ok(question) => question,
        Err(error) => return vec![error.why],
    };
    let record = levels::object(level.text()).unwrap_or_default();
    let unknown =
        K::unknown_fields(&record).into_iter().map(|field| format!("{field}: is not a known field"));
    let mut found: Vec<String> = unknown.collect();
    let files = super::environment::files_of(level);
    for (index, name) in question.pictures.iter().enumerate() {
        let shown = match picture(&files, name, context) {
            Ok(shown) => Arc::new(shown),
            Err(error) => {
                found.push(error.to_string());
                continue;
            }
        };
        let size = (shown.width(), shown.height());
        for (_, area) in question.areas.iter().filter(|(at, _)| *at == index) {
            if area.is_empty() {
                found.push(format!("bbox {:?} is empty", area.0));
            } else if !area.is_within(size) {
                found.push(format!(
                    "bbox {:?} is not within the picture {name:?} of {} x {}",
                    area.0, size.0, size.1
                ));
            }
        }
    }
    found
}
