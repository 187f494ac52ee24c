//! The prices of models, from a file of the user. None of real models are shipped: prices change, and a wrong cost is worse
//! than an unknown one.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::folders::Folders;
use super::origin::Origin;
use super::problem::Problem;
use super::profiles::ModelProfile;
use super::resolved::Config;
use super::source_file::{SMALL_FILE_LIMIT, SourceFile};
use mageyard_domain::{Price, Prices, Rate};

/// A file to start from; every line is a comment.
pub const PRICES_TEMPLATE: &str = include_str!("../../prices.toml");

/// The keys of a model.
pub(super) const MODEL_KEYS: [&str; 5] = ["input", "output", "cached", "cache_write", "currency"];

/// The prices of the models of the agent `demo`, in a currency that does not exist, so that no sum has them with others.
const DEMO_PRICES: &str = r#"
currency = "DEMO"
[models.demo]
input = 1
output = 4
[models.demo-weak]
input = 0.5
output = 2
[models.demo-strong]
input = 2
output = 8
"#;

/// The models of the agent `demo`.
pub(super) fn demo_models() -> impl Iterator<Item = &'static str> {
    DEMO_PRICES.lines().filter_map(|line| line.strip_prefix("[models.")?.strip_suffix(']'))
}

/// The prices of the user's file and of the profiles of models, and those of simulated models that these do not have.
///
/// # Errors
///
/// The file is wrong, or a model has two prices that differ.
pub fn load_prices(config: &Config) -> Result<Prices, Problem> {
    let Prices(mut prices) = load_own_prices(config.folders())?;
    for profile in config.profiles() {
        let Some(price) = &profile.price else { continue };
        let model = profile.model();
        match prices.iter().find(|(known, _)| known == model) {
            Some((_, known)) if known != price => return Err(second_price(profile)),
            Some(_) => {}
            None => prices.push((model.to_owned(), price.clone())),
        }
    }
    let Prices(simulated) = parse(&SourceFile::shipped("prices.toml", DEMO_PRICES))?;
    let missing = |name: &String| prices.iter().all(|(own, _)| own != name);
    let simulated: Vec<_> = simulated.into_iter().filter(|(name, _)| missing(name)).collect();
    prices.extend(simulated);
    Ok(Prices(prices))
}

/// The problem with a price that is not the only one of its model: the cost of a recording is counted by the name of the model.
fn second_price(profile: &ModelProfile) -> Problem {
    let what = format!("{} has another price elsewhere, in a profile or in prices.toml", profile.model());
    Origin::File(profile.place.clone()).problem(&what).with_help("give each model one price")
}

/// The prices of the user's file; none if there is no file.
pub fn load_own_prices(folders: &Folders) -> Result<Prices, Problem> {
    SourceFile::read_if_exists(folders.prices_file(), SMALL_FILE_LIMIT)?
        .map_or_else(|| Ok(Prices::default()), |sheet| parse(&sheet))
}

/// The prices of the example in the template.
pub fn example() -> Result<Prices, Problem> {
    let lines = PRICES_TEMPLATE.lines().map(|line| line.strip_prefix("#: ").unwrap_or(line));
    parse(&SourceFile::shipped("prices.toml", &lines.collect::<Vec<_>>().join("\n")))
}

type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;
type TomlValue<'a> = Spanned<DeValue<'a>>;

/// The prices in this text.
pub(super) fn parse(sheet: &SourceFile) -> Result<Prices, Problem> {
    let document = DeTable::parse(&sheet.text).map_err(|error| sheet.toml_problem(&error))?;
    let mut currency = None;
    let mut models = None;
    for (key, value) in document.get_ref() {
        match key.get_ref().as_ref() {
            "currency" => currency = Some(parse_currency(sheet, "currency", value.get_ref(), value.span())?),
            "models" => models = Some(as_table(sheet, "models", value)?),
            other => {
                let what = format!("unknown key {other} in a price file");
                return Err(sheet
                    .problem_at(what, key.span())
                    .with_suggestions(other, ["currency", "models"]));
            }
        }
    }
    let mut rows: Vec<_> = models.into_iter().flatten().collect();
    rows.sort_by_key(|(key, _)| key.span().start);
    let prices = rows.into_iter().map(|(key, value)| parse_model(sheet, key, value, currency.as_deref()));
    prices.collect::<Result<_, _>>().map(Prices)
}

fn parse_model(
    sheet: &SourceFile,
    key: &Key<'_>,
    value: &TomlValue<'_>,
    currency: Option<&str>,
) -> Result<(String, Price), Problem> {
    let name = key.get_ref().as_ref();
    if name.trim_end_matches('*').contains('*') || name.ends_with("**") {
        return Err(sheet.problem_at(format!("in {name:?} a * is allowed only at the end"), key.span()));
    }
    let path = format!("models.{name}");
    let rows = as_table(sheet, &path, value)?;
    if let Some((key, _)) = rows.iter().find(|(key, _)| !MODEL_KEYS.contains(&key.get_ref().as_ref())) {
        let what = format!("unknown key {} in the price of a model", key.get_ref());
        return Err(sheet.problem_at(what, key.span()).with_suggestions(key.get_ref(), MODEL_KEYS));
    }
    let fields = rows.iter().map(|(key, value)| PriceField {
        key: key.get_ref().to_string(),
        value: value.get_ref().clone(),
        span: value.span(),
    });
    let fields: Vec<_> = fields.collect();
    Ok((name.to_owned(), price_of(sheet, (&path, key.span()), &fields, currency)?))
}

/// A key of the price of a model.
pub(super) struct PriceField<'a> {
    pub(super) key: String,
    pub(super) value: DeValue<'a>,
    /// The bytes of the value.
    pub(super) span: Range<usize>,
}

/// The price in these fields of the table with this path. `place` is its name; `currency` is that of a table without one.
pub(super) fn price_of(
    sheet: &SourceFile,
    (path, place): (&str, Range<usize>),
    fields: &[PriceField<'_>],
    currency: Option<&str>,
) -> Result<Price, Problem> {
    let find = |wanted: &str| fields.iter().find(|field| field.key == wanted);
    let rate = |wanted: &str| find(wanted).map(|field| parse_rate(sheet, &format!("{path}.{wanted}"), field));
    let name = path.strip_prefix("models.").unwrap_or(path);
    let missing = |wanted: &str| sheet.problem_at(format!("{name}: missing {wanted}"), place.clone());
    let input = rate("input").ok_or_else(|| missing("input"))??;
    let output = rate("output").ok_or_else(|| missing("output"))??;
    let own = find("currency")
        .map(|field| parse_currency(sheet, "currency", &field.value, field.span.clone()))
        .transpose()?;
    let currency = own.or_else(|| currency.map(str::to_owned));
    let currency = currency.ok_or_else(|| {
        missing("currency").with_help(
            "add currency = \"USD\" to this model, or in a file of prices at the top for all models",
        )
    })?;
    let cached = rate("cached").transpose()?;
    let cache_write = rate("cache_write").transpose()?;
    Ok(Price { input, output, cached, cache_write, currency })
}

fn as_table<'a>(
    sheet: &SourceFile,
    name: &str,
    value: &'a TomlValue<'_>,
) -> Result<Vec<(&'a Key<'a>, &'a TomlValue<'a>)>, Problem> {
    let table = value.get_ref().as_table();
    let table = table.ok_or_else(|| sheet.problem_at(format!("{name} must be a table"), value.span()))?;
    Ok(table.iter().collect())
}

/// Parses the digits as written; a price is never converted to a binary fraction.
fn parse_rate(sheet: &SourceFile, name: &str, field: &PriceField<'_>) -> Result<Rate, Problem> {
    let parsed = match &field.value {
        DeValue::Integer(digits) if digits.radix() == 10 => Rate::parse(digits.as_str()),
        DeValue::Float(digits) => Rate::parse(digits.as_str()),
        _ => Err("must be the price of a million tokens, such as 2.50".to_owned()),
    };
    parsed.map_err(|why| sheet.problem_at(format!("{name}: {why}"), field.span.clone()))
}

fn parse_currency(
    sheet: &SourceFile,
    name: &str,
    value: &DeValue<'_>,
    span: Range<usize>,
) -> Result<String, Problem> {
    let plain =
        |text: &str| (1..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    let text = value.as_str().filter(|text| plain(text)).map(str::to_owned);
    text.ok_or_else(|| sheet.problem_at(format!("{name}: must be a short name, such as \"USD\""), span))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_text(text: &str) -> Result<Prices, String> {
        parse(&SourceFile::shipped("prices.toml", text)).map_err(|problem| problem.to_string())
    }

    #[test]
    fn the_template_is_empty_and_its_example_is_valid() {
        assert_eq!(parse_text(PRICES_TEMPLATE), Ok(Prices::default()));
        assert!(PRICES_TEMPLATE.lines().all(|line| line.is_empty() || line.starts_with('#')));
        let prices = example().unwrap();
        assert_eq!(prices.0.len(), 2);
        assert!(prices.find("example-large-2").is_some() && prices.find("example-small").is_some());
    }

    #[test]
    fn simulated_models_have_a_price_that_the_user_can_replace() {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders::under(root.path());
        let config = || Config::shipped(folders.clone()).unwrap();
        let price = |model: &str| load_prices(&config()).unwrap().find(model).unwrap().input.to_string();
        assert_eq!(["demo", "demo-weak", "demo-strong"].map(price), ["1", "0.5", "2"]);
        assert_eq!(load_own_prices(&folders), Ok(Prices::default()));
        std::fs::create_dir_all(folders.prices_file().parent().unwrap()).unwrap();
        let own = "[models.demo]\ninput = 9\noutput = 9\ncurrency = \"USD\"\n";
        std::fs::write(folders.prices_file(), own).unwrap();
        assert_eq!(["demo", "demo-weak"].map(price), ["9", "0.5"]);
    }

    #[test]
    fn a_price_keeps_its_digits_and_its_own_currency() {
        let prices = parse_text(
            "currency = \"USD\"\n[models.\"a*\"]\ninput = 0.0375\noutput = 1_0\ncached = 0\ncache_write = 1.25\n[models.b]\ninput = 1\noutput = 2\ncurrency = \"EUR\"\n",
        );
        let prices = prices.unwrap();
        let or_none = |rate: Option<Rate>| rate.map_or_else(|| "none".to_owned(), |rate| rate.to_string());
        let shown = prices.0.iter().map(|(name, price)| {
            let cached = or_none(price.cached);
            let written = or_none(price.cache_write);
            format!("{name} {} {} {cached} {written} {}", price.input, price.output, price.currency)
        });
        assert_eq!(shown.collect::<Vec<_>>(), ["a* 0.0375 10 0 1.25 USD", "b 1 2 none none EUR"]);
    }

    #[test]
    fn mistakes_are_reported_with_their_line_and_field() {
        let model = "currency = \"USD\"\n[models.m]\n";
        for (text, says) in [
            (
                "currancy = \"USD\"",
                "prices.toml:1: unknown key currancy in a price file; did you mean currency?",
            ),
            ("models = 3", "prices.toml:1: models must be a table"),
            ("[models]\nm = 3", "prices.toml:2: models.m must be a table"),
            ("[models.m]\ninput = 1\noutput = 1", "prices.toml:1: m: missing currency"),
            (&format!("{model}input = 1"), "prices.toml:2: m: missing output"),
            (&format!("{model}input = -1\noutput = 1"), "prices.toml:3: models.m.input: -1 is not a decimal"),
            (
                &format!("{model}input = 1e3\noutput = 1"),
                "prices.toml:3: models.m.input: 1e3 is not a decimal",
            ),
            (
                &format!("{model}input = 1\noutput = \"1\""),
                "prices.toml:4: models.m.output: must be the price of",
            ),
            (&format!("{model}input = 1\noutput = 0.0000001"), "more than 6 decimal places"),
            (&format!("{model}imput = 1"), "unknown key imput in the price of a model; did you mean input?"),
            ("currency = \"\\u001b\"", "currency: must be a short name"),
            ("[models.\"a*b\"]\n", "a * is allowed only at the end"),
            ("[models", "prices.toml:1: "),
        ] {
            let error = parse_text(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
