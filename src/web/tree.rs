//! `web tree`: what an agent would see of a page.

use std::path::Path;

use serde_json::Value;

use mageyard_cli::{Context, Exit, Failure, Output, parallel_runtime};
use mageyard_config::Problem;
use mageyard_web::{PageTarget, tree_of};

/// Print what an agent would see of a page
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// HTML file, or an address, such as that of a local site: shop.test
    #[arg(value_name = "PAGE")]
    page: String,
    /// Form of the tree: visible, code [default: the setting web.tree]
    #[arg(long, value_name = "FORM")]
    tree: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let config = context.config()?;
    let mut options = config.settings().options("web");
    if let Some(tree) = &args.tree {
        options.insert("tree".to_owned(), Value::from(tree.as_str()));
    }
    let target = match Path::new(&args.page) {
        path if path.is_file() => PageTarget::File(path.to_owned()),
        _ => PageTarget::Address(args.page.clone()),
    };
    let settings = mageyard_lab::browser_settings(&config);
    let reading = parallel_runtime()?.block_on(tree_of(&target, &options, settings)).map_err(Problem::new)?;
    let mut out = Output::open();
    out.line(reading.text())?;
    Ok(Exit::Done)
}
