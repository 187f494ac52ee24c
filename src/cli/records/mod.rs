//! The types of JSON objects that verbs print. A type is a struct beside its verb that implements [`Record`], and one
//! row in [`types`]; the verb `schema` and docs/json.md are made from its fields and their comments.

mod page;
mod roles;
mod shared;
mod types;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};

pub(crate) use self::page::markdown;
pub(crate) use self::roles::{RoleRecord, SideRecord};
pub(crate) use self::shared::{
    ChangeRecord, ComparisonFields, CostFields, CostRange, NeedFields, RequestFields, ShareRecord,
    TestFields, UsageFields, VariantFields, ends,
};
pub(crate) use self::types::{SECTIONS, find};

/// An object that a verb prints. The comment of the struct says which verb, those of the fields what they mean.
pub(crate) trait Record: Serialize + JsonSchema {
    /// The value of its field `type`.
    const TYPE: &'static str;

    /// The object on one line.
    fn line(&self) -> serde_json::Result<String>
    where
        Self: Sized,
    {
        mageyard_lab::json_line(Self::TYPE, self)
    }
}

/// A type of objects.
#[derive(Clone, Copy)]
pub(crate) struct RecordType {
    /// The value of the field `type`.
    pub(crate) name: &'static str,
    fields: fn(&mut SchemaGenerator) -> Schema,
}

impl RecordType {
    const fn of<R: Record>() -> Self {
        Self { name: R::TYPE, fields: R::json_schema }
    }

    /// The JSON Schema of its objects.
    pub(crate) fn schema(&self) -> Schema {
        let mut generator = generator();
        let mut schema = (self.fields)(&mut generator);
        self.add_common_fields(&mut schema);
        let definitions = generator.take_definitions(true);
        if !definitions.is_empty() {
            schema.insert("$defs".to_owned(), Value::Object(definitions));
        }
        schema
    }

    /// What its objects are, in a line.
    pub(crate) fn summary(&self) -> String {
        let schema = (self.fields)(&mut generator());
        let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        text.split("\n\n").next().unwrap_or_default().replace('\n', " ")
    }

    /// Every object begins with the version of the format and its type.
    fn add_common_fields(&self, schema: &mut Schema) {
        let own = json!({"schema": {"const": mageyard_lab::SCHEMA_VERSION}, "type": {"const": self.name}});
        for (list, common) in [("properties", own), ("required", json!(["schema", "type"]))] {
            let mut all = common;
            match (&mut all, schema.remove(list)) {
                (Value::Object(all), Some(Value::Object(fields))) => all.extend(fields),
                (Value::Array(all), Some(Value::Array(names))) => all.extend(names),
                _ => {}
            }
            schema.insert(list.to_owned(), all);
        }
        schema.insert("title".to_owned(), self.name.into());
    }
}

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().for_serialize().into_generator()
}
