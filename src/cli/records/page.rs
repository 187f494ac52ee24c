//! docs/json.md: a table for each type, with shared and nested fields once.

use std::fmt::Write as _;

use std::collections::BTreeSet;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::shared::{ComparisonFields, CostFields, NeedFields, RequestFields, VariantFields};
use super::types::{SECTIONS, WRITTEN};
use super::{RecordType, generator};
use crate::ask::records::CallNeeds;
use crate::continuations::RowFields;
use crate::reparse::CountsRecord;
use crate::report::PairedFields;
use mageyard_lab::{DistanceAfter, EpisodeIdentity, EpisodeSettings};
use mageyard_report::ConditionFields;

const OPENING: &str = include_str!("opening.md");

/// Fields that several types have.
#[derive(Clone)]
struct Group {
    name: String,
    /// The place in the page.
    link: String,
    schema: Schema,
}

/// The page.
pub(crate) fn markdown() -> String {
    let mut generator = generator();
    let mut groups = groups(&mut generator);
    let types = |(title, types): &(&'static str, &'static [RecordType])| {
        let schemas = types.iter().map(|kind| (kind.name, (kind.fields)(&mut generator)));
        (*title, schemas.collect::<Vec<_>>())
    };
    let sections: Vec<_> = SECTIONS.iter().map(types).collect();
    let definitions = definitions(&generator);
    let nested = definitions.iter().map(|(name, schema)| Group {
        name: name.clone(),
        link: name.clone(),
        schema: schema.clone(),
    });
    groups.extend(nested);
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let mut page = format!("{OPENING}\n## Shared fields\n");
    for group in groups.iter().filter(|group| group.link != group.name) {
        _ = write!(page, "\n### Fields `{}`\n{}", group.name, body(&group.schema, &[], &generator));
    }
    for (title, types) in &sections {
        _ = write!(page, "\n## {title}\n");
        for (name, schema) in types {
            _ = write!(page, "\n### `{name}`\n{}", body(schema, &groups, &generator));
        }
    }
    page += WRITTEN;
    page += "\n## Nested objects\n";
    for (name, schema) in &definitions {
        let others: Vec<Group> = groups.iter().filter(|group| group.name != *name).cloned().collect();
        _ = write!(page, "\n### {name}\n{}", body(schema, &others, &generator));
    }
    page
}

/// The objects that fields refer to.
fn definitions(generator: &SchemaGenerator) -> Vec<(String, Schema)> {
    let all = generator.definitions().iter();
    let schemas = all.filter_map(|(name, value)| Some((name.clone(), Schema::try_from(value.clone()).ok()?)));
    schemas.filter(|(_, schema)| properties(schema).is_some()).collect()
}

fn groups(generator: &mut SchemaGenerator) -> Vec<Group> {
    fn group<T: JsonSchema>(name: &str, generator: &mut SchemaGenerator) -> Group {
        Group { name: name.to_owned(), link: format!("fields-{name}"), schema: T::json_schema(generator) }
    }
    vec![
        group::<EpisodeIdentity>("identity", generator),
        group::<EpisodeSettings>("settings", generator),
        group::<RequestFields>("requests", generator),
        group::<CostFields>("cost", generator),
        group::<DistanceAfter>("distance", generator),
        group::<ComparisonFields<'_>>("comparison", generator),
        group::<VariantFields<'_>>("variant", generator),
        group::<CallNeeds<'_>>("needs", generator),
        group::<RowFields<'_>>("branches", generator),
        group::<ConditionFields>("condition", generator),
        group::<NeedFields>("calls", generator),
        group::<PairedFields>("pairs", generator),
        group::<CountsRecord<'_>>("counts", generator),
    ]
}

/// What the objects are, the groups of fields that they include, and a table of the others.
fn body(schema: &Schema, groups: &[Group], generator: &SchemaGenerator) -> String {
    let none = Map::new();
    let fields = properties(schema).unwrap_or(&none);
    let included = included(fields, groups);
    let is_own = |name: &String| !included.iter().any(|group| group.has(name));
    let mut rows: Vec<String> = fields
        .iter()
        .filter(|(name, _)| is_own(name))
        .map(|(name, field)| row(name, field, is_required(schema, name), generator))
        .collect();
    let open = schema.get("additionalProperties") == Some(&Value::Bool(true));
    rows.extend(open.then(|| "…|any, optional|further fields".to_owned()));
    let mut text = format!("\n{}.\n{}", description(schema.as_value()), inclusion(schema, &included));
    if !rows.is_empty() {
        _ = write!(text, "\nfield|type|meaning\n---|---|---\n{}\n", rows.join("\n"));
    }
    text
}

impl Group {
    fn len(&self) -> usize {
        properties(&self.schema).map_or(0, Map::len)
    }

    fn has(&self, name: &str) -> bool {
        properties(&self.schema).is_some_and(|fields| fields.contains_key(name))
    }

    /// Whether these fields have all of the group, with the same meaning.
    fn is_in(&self, fields: &Map<String, Value>) -> bool {
        let shared = properties(&self.schema);
        shared.is_some_and(|shared| shared.iter().all(|(name, field)| fields.get(name) == Some(field)))
    }
}

/// The groups in these fields, without those that others contain. Larger groups come first.
fn included<'a>(fields: &Map<String, Value>, groups: &'a [Group]) -> Vec<&'a Group> {
    let mut found: Vec<&Group> = Vec::new();
    for group in groups.iter().filter(|group| group.len() > 1 && group.is_in(fields)) {
        let names = properties(&group.schema).into_iter().flat_map(Map::keys);
        if names.into_iter().any(|name| !found.iter().any(|other| other.has(name))) {
            found.push(group);
        }
    }
    found
}

/// `With identity, distance (optional).`, with links.
fn inclusion(schema: &Schema, groups: &[&Group]) -> String {
    if groups.is_empty() {
        return String::new();
    }
    let link = |group: &&Group| {
        let shared = properties(&group.schema).into_iter().flat_map(Map::keys);
        let always = shared.into_iter().any(|name| is_required(schema, name));
        let Group { name, link, .. } = group;
        format!("[{name}](#{link}){}", if always { "" } else { " (optional)" })
    };
    format!("With {}.\n", groups.iter().map(link).collect::<Vec<_>>().join(", "))
}

fn row(name: &str, field: &Value, required: bool, generator: &SchemaGenerator) -> String {
    let optional = if required { "" } else { ", optional" };
    format!("`{name}`|{}{optional}|{}", type_text(field, generator), description(field))
}

/// The comment on one line.
fn description(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    text.trim_end_matches('.').split('\n').filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

fn properties(schema: &Schema) -> Option<&Map<String, Value>> {
    schema.get("properties").and_then(Value::as_object)
}

fn is_required(schema: &Schema, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|one| one == name))
}

/// `string?` (or null), `array? of string`, with links to nested objects.
fn type_text(field: &Value, generator: &SchemaGenerator) -> String {
    let mut types = Vec::new();
    add_types(field, generator, &mut types);
    let mark = if types.iter().any(|one| one == "null") { "?" } else { "" };
    types.retain(|one| one != "null");
    match types.as_slice() {
        [] => "any".to_owned(),
        [one] => match one.split_once(' ') {
            Some((word, rest)) => format!("{word}{mark} {rest}"),
            None => format!("{one}{mark}"),
        },
        several => format!("{}{mark}", several.join(" or ")),
    }
}

/// Adds the types that a field can have, each once.
fn add_types(field: &Value, generator: &SchemaGenerator, types: &mut Vec<String>) {
    if let Some(name) = definition_name(field) {
        match generator.definitions().get(name) {
            Some(value) if value.get("properties").is_none() => add_types(value, generator, types),
            _ => types.push(format!("[{name}](#{name})")),
        }
    } else if let Some(parts) = field.get("anyOf").or_else(|| field.get("oneOf")).and_then(Value::as_array) {
        for part in parts {
            add_types(part, generator, types);
        }
    } else {
        let named = match field.get("type") {
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            one => one.and_then(Value::as_str).into_iter().collect::<Vec<_>>(),
        };
        types.extend(named.into_iter().map(|name| simple_type(name, field, generator)));
    }
    let mut known = BTreeSet::new();
    types.retain(|one| known.insert(one.clone()));
}

fn simple_type(name: &str, field: &Value, generator: &SchemaGenerator) -> String {
    match (name, field.get("items"), field.get("additionalProperties")) {
        ("array", Some(items), _) => match type_text(items, generator) {
            items if items == "any" => "array".to_owned(),
            items => format!("array of {items}"),
        },
        ("object", _, Some(values @ Value::Object(_))) => format!("map of {}", type_text(values, generator)),
        _ => name.to_owned(),
    }
}

/// The name of the definition that a field refers to.
fn definition_name(field: &Value) -> Option<&str> {
    field.get("$ref").and_then(Value::as_str)?.strip_prefix("#/$defs/")
}
