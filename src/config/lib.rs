//! Settings and the other files that people edit: finds, layers and reads them, and reports mistakes with file and line.
//!
//! It does not act on a setting. Defaults are those of `config.toml`, which is compiled in; there is no second list.
//! Environments and agents do not use this crate: they get their own table of settings as plain data.
//!
//! Start with [`Config`], the effective settings of a run, and [`Sources`], the layers that they come from. [`Catalog`] has
//! named files (themes, prompts, readers); [`Problem`] is a mistake with its place and a hint.

mod assigned;
mod bounded;
mod catalog;
mod document;
mod file_watcher;
mod folders;
mod layers;
mod log_settings;
mod origin;
mod overrides;
mod picture_form;
mod presets;
mod prices;
mod problem;
mod profile_edit;
mod profiles;
mod resolved;
mod role_settings;
mod schema;
mod screen_settings;
mod setting_edit;
mod settings;
mod source_file;

pub use assigned::{AssignedSetting, SettingKind, is_settings_table, setting_kind};
pub use catalog::{Catalog, CatalogEntry};
pub use document::json_value as toml_value;
pub use file_watcher::FileWatcher;
pub use folders::Folders;
pub use layers::Sources;
pub use log_settings::{LogLevel, LogSettings};
pub use origin::{Origin, ResolvedSetting};
pub use overrides::{SettingOverride, refuse_repeated};
pub use picture_form::PictureForm;
pub use presets::{SHIPPED_PRESETS, load_presets};
pub use prices::{PRICES_TEMPLATE, example as example_prices, load_own_prices, load_prices};
pub use problem::{Problem, SourceLocation};
pub use profile_edit::{ProfileEdit, edit_profile};
pub use profiles::{ModelProfile, check_profile_name};
pub use resolved::Config;
pub use schema::{DEFAULTS, setting_default, setting_summary};
pub use screen_settings::{
    ClipboardSetting, FrameDisplay, LayoutSettings, LinkSetting, MotionSetting, MouseSetting, ScreenSettings,
};
pub use setting_edit::{SettingEdit, edit_project_setting};
pub use settings::{
    FaultSettings, MemorySettings, ModelSettings, PlaySettings, RunSettings, Settings, StoreSettings,
    SweepSettings,
};
pub use source_file::SourceFile;
