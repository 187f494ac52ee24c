//! `prices`: model prices from the user's own file.

use super::context::Context;
use super::exit::Exit;
use super::exit::Failure;
use super::finding::Finding;
use super::finding::print_findings;
use super::output::Output;
use super::table::align_columns;
use crate::config;
use crate::config::Folders;
use crate::domain::Prices;
use crate::domain::Rate;
use crate::domain::sanitize;

/// List and check model prices
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    /// Print the path of the price file and its prices
    List(Args),
    /// Check the price file
    Check(Args),
    /// Print an example price file to start from
    Example,
}

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

impl Verb {
    pub(super) fn run(self, context: &Context) -> Result<Exit, Failure> {
        match self {
            Self::List(args) => list(&args, context.folders()),
            Self::Check(args) => print_findings(&[finding(context.folders())], args.json),
            Self::Example => {
                Output::open().raw(config::PRICES_TEMPLATE.as_bytes())?;
                Ok(Exit::Done)
            }
        }
    }
}

fn list(args: &Args, folders: &Folders) -> Result<Exit, Failure> {
    let (prices, path) = (config::load_prices(folders)?, folders.prices_file());
    let mut out = Output::open();
    if args.json {
        prices
            .0
            .iter()
            .try_for_each(|(name, price)| out.object_line("price", &config::price_object(name, price)))?;
        return Ok(Exit::Done);
    }
    let none = if path.exists() {
        ""
    } else {
        " (does not exist; `mageyard prices example` prints one to start from)"
    };
    out.line(format!("{}{none}", path.display()))?;
    if prices.0.is_empty() {
        return Ok(Exit::Done);
    }
    let titles =
        ["model", "input", "output", "cached", "cache_write", "currency"].map(str::to_owned).to_vec();
    let rows = prices.0.iter().map(|(name, price)| {
        let or_input =
            |rate: Option<Rate>| rate.map_or_else(|| "as input".to_owned(), |rate| rate.to_string());
        let (cached, written) = (or_input(price.cached), or_input(price.cache_write));
        let (input, output) = (price.input.to_string(), price.output.to_string());
        vec![sanitize(name).into_owned(), input, output, cached, written, price.currency.clone()]
    });
    let rows: Vec<_> = std::iter::once(titles).chain(rows).collect();
    align_columns(&rows).iter().try_for_each(|line| out.line(line))?;
    out.line("per million tokens")?;
    Ok(Exit::Done)
}

/// The check of the price file.
pub(super) fn finding(folders: &Folders) -> Finding {
    Finding::of("prices", config::load_prices(folders).map(|prices| count_text(&prices)))
}

/// The number of models with a price, as text.
pub(super) fn count_text(prices: &Prices) -> String {
    match prices.0.len() {
        0 => "no prices, so costs are unknown".to_owned(),
        1 => "1 model".to_owned(),
        count => format!("{count} models"),
    }
}
