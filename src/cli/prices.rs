//! `prices`: model prices from the user's own file.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use super::context::Context;
use super::records::Record;
use super::user_file::UserFile;
use mageyard_config::{Folders, Problem};
use mageyard_domain::{Price, Prices, Rate, sanitize};

impl UserFile for Prices {
    const NAME: &'static str = "prices";
    const EXAMPLE: &'static str = mageyard_config::PRICES_TEMPLATE;
    type Row = PriceRecord;

    fn load(folders: &Folders) -> Result<Self, Problem> {
        mageyard_config::load_own_prices(folders)
    }

    fn path(folders: &Folders) -> PathBuf {
        folders.prices_file()
    }

    fn absence() -> &'static str {
        " (does not exist; `mageyard prices example` prints one to start from)"
    }

    fn records(&self) -> Vec<PriceRecord> {
        self.0.iter().map(|(name, price)| PriceRecord::new(name, price)).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let titles = ["model", "input", "output", "cached", "cache_write", "currency"].map(str::to_owned);
        let rows = self.0.iter().map(|(name, price)| {
            let or_input =
                |rate: Option<Rate>| rate.map_or_else(|| "as input".to_owned(), |rate| rate.to_string());
            let cached = or_input(price.cached);
            let written = or_input(price.cache_write);
            let input = price.input.to_string();
            let output = price.output.to_string();
            vec![sanitize(name).into_owned(), input, output, cached, written, price.currency.clone()]
        });
        std::iter::once(titles.to_vec()).chain(rows).collect()
    }

    fn remark(&self, _: &Context) -> Result<Option<String>, Problem> {
        Ok((!self.0.is_empty()).then(|| "per million tokens".to_owned()))
    }

    fn summary(&self) -> String {
        match self.0.len() {
            0 => "no prices, so costs are unknown".to_owned(),
            1 => "1 model".to_owned(),
            count => format!("{count} models"),
        }
    }
}

/// The price of a model (`prices list`), for a million tokens.
#[derive(Serialize, JsonSchema)]
pub(super) struct PriceRecord {
    /// Name, or prefix with `*`.
    model: String,
    /// Price of input tokens, as a decimal.
    input: String,
    /// Price of output tokens.
    output: String,
    /// Price of cached input tokens; null if it equals `input`.
    cached: Option<String>,
    /// Price of input tokens written into the cache; null if it equals `input`.
    cache_write: Option<String>,
    /// Currency.
    currency: String,
}

impl Record for PriceRecord {
    const TYPE: &'static str = "price";
}

impl PriceRecord {
    fn new(name: &str, price: &Price) -> Self {
        let text = |rate: Rate| String::from(rate);
        Self {
            model: name.to_owned(),
            input: text(price.input),
            output: text(price.output),
            cached: price.cached.map(text),
            cache_write: price.cache_write.map(text),
            currency: price.currency.clone(),
        }
    }
}
