//! The values of single settings of the table `[model]`.

use std::path::PathBuf;

use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::access::{Access, AccessOptions};
use super::super::http::TlsFiles;
use super::super::image::{ImageFormat, Scaling};
use super::super::option_reader::{OptionReader, invalid};
use super::super::protocol::{PROTOCOLS, Protocol};
use mageyard_domain::{OptionError, Options, Preset};

/// The URL is stored and displayed, so it must not contain secrets.
pub(super) fn parse_url(base: &str, endpoint: &str) -> Result<Url, OptionError> {
    let invalid_url = |why: &str| invalid("base_url", why);
    let url = Url::parse(base).map_err(|error| {
        let shown: String = base.chars().take_while(|c| *c != '@').take(80).collect();
        invalid_url(&format!("{shown:?} is not a URL ({error}); an example is http://127.0.0.1:8080/v1"))
    })?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(invalid_url("it must begin with http:// or https:// and a host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid_url(
            "it contains a user name or a password; use an environment variable for the key: model.key_variable",
        ));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(invalid_url(
            "it must end with the path, without ? and #; fields after ? belong into model.query",
        ));
    }
    let path = url.path().trim_end_matches('/');
    if path.ends_with(&format!("/{endpoint}")) {
        let why = format!("it must not include /{endpoint}, which is added automatically");
        return Err(invalid_url(&why));
    }
    let path = format!("{path}/{endpoint}");
    let mut url = url;
    url.set_path(&path);
    Ok(url)
}

pub(super) fn parse_access(
    reader: &OptionReader<'_>,
    key_variable: String,
    protocol: &dyn Protocol,
) -> Result<Access, OptionError> {
    let written = AccessOptions {
        key_variable,
        key_header: reader.text("key_header", "")?,
        headers: reader.table("headers")?,
        query: reader.table("query")?,
        protocol_key_header: protocol.key_header(),
        protocol_headers: protocol.headers(),
    };
    Access::parse(written).map_err(|(name, why)| invalid(name, why))
}

pub(super) fn parse_files(reader: &OptionReader<'_>) -> Result<TlsFiles, OptionError> {
    let file = |name| Ok(Some(reader.text(name, "")?).filter(|path| !path.is_empty()).map(PathBuf::from));
    let files = TlsFiles {
        ca_file: file("ca_file")?,
        client_cert: file("client_cert")?,
        client_key: file("client_key")?,
    };
    if files.client_key.is_some() && files.client_cert.is_none() {
        return Err(invalid("client_key", "it is the key of a certificate; set model.client_cert too"));
    }
    Ok(files)
}

/// A protocol and its base URL and variable of the key, if the settings do not give others.
pub(super) fn maker(
    protocol: &dyn Protocol,
    reader: &OptionReader<'_>,
) -> Result<(String, String), OptionError> {
    let (base_url, key_variable) = protocol.maker();
    let url = reader.text("base_url", "")?;
    let variable = reader.text("key_variable", AUTO)?;
    let or = |given: String, nothing: &str, own: &str| if given == nothing { own.to_owned() } else { given };
    Ok((or(url, "", base_url), or(variable, AUTO, key_variable)))
}

/// The value of `key_variable` that is the usual variable of the protocol.
const AUTO: &str = "auto";

pub(super) fn parse_protocol(name: &str) -> Result<&'static dyn Protocol, OptionError> {
    PROTOCOLS.into_iter().find(|protocol| protocol.name() == name).ok_or_else(|| {
        let names: Vec<&str> = PROTOCOLS.iter().map(|protocol| protocol.name()).collect();
        invalid("protocol", format!("{name:?} is not a protocol; the protocols are {}", names.join(", ")))
    })
}

pub(super) fn parse_cache(name: &str, protocol: &dyn Protocol) -> Result<bool, OptionError> {
    match name {
        "off" => Ok(false),
        "on" if protocol.asks_for_caching() => Ok(true),
        "on" => {
            let own = protocol.name();
            Err(invalid(
                "cache",
                format!("the protocol {own} has no field for it: its servers cache by themselves"),
            ))
        }
        other => Err(invalid("cache", format!("{other:?} is neither off nor on"))),
    }
}

pub(super) fn parse_detail(name: String, protocol: &dyn Protocol) -> Result<String, OptionError> {
    let allowed = protocol.details();
    let own = protocol.name();
    if name.is_empty() || allowed.contains(&name.as_str()) {
        return Ok(name);
    }
    Err(invalid(
        "detail",
        match allowed {
            [] => format!("the protocol {own} has no detail of images; leave it empty"),
            allowed => format!("{name:?} is not a detail; the details are {}", allowed.join(", ")),
        },
    ))
}

/// Fields set by the agent in every protocol, which `extra` cannot change.
const RESERVED_FIELDS: [&str; 3] = ["model", "stream", "n"];

pub(super) fn parse_extra(text: &str, protocol: &dyn Protocol) -> Result<Map<String, Value>, OptionError> {
    let parsed = serde_json::from_str(text);
    let extra: Map<String, Value> =
        parsed.map_err(|error| invalid("extra", format!("it is not a JSON object: {error}")))?;
    let fields = protocol.turn_fields();
    let mut reserved = RESERVED_FIELDS.into_iter().chain([fields.list]).chain(fields.system);
    match reserved.find(|name| extra.contains_key(*name)) {
        Some(name) => {
            Err(invalid("extra", format!("{name} is not allowed here; it is set by its own setting")))
        }
        None => Ok(extra),
    }
}

/// The preset as the caller resolved it. Its name alone changes nothing, and neither do journals from before presets.
pub(super) fn parse_preset(options: &Options) -> Result<Preset, OptionError> {
    match options.get("preset") {
        None | Some(Value::String(_)) => Ok(Preset::default()),
        Some(resolved) => Preset::deserialize(resolved).map_err(|error| invalid("preset", error.to_string())),
    }
}

pub(super) fn parse_scaling(name: &str) -> Result<Scaling, OptionError> {
    match name {
        "smooth" => Ok(Scaling::Smooth),
        "whole" => Ok(Scaling::Whole),
        other => Err(invalid("scaling", format!("{other:?} is not a scaling; these are smooth and whole"))),
    }
}

pub(super) fn parse_image_format(name: &str, png_level: u32) -> Result<ImageFormat, OptionError> {
    match name {
        "png" => Ok(ImageFormat::Png(png_level.to_le_bytes()[0])),
        "jpeg" => Ok(ImageFormat::Jpeg),
        other => {
            Err(invalid("image_format", format!("{other:?} is not a format; the formats are png and jpeg")))
        }
    }
}
