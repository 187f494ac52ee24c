//! Settings and the other files that users edit: finds, layers and reads them, and reports mistakes with file and line.
//! Used by the screen and the verbs only.

mod assigned;
mod bounded;
mod catalog;
mod document;
mod file_watcher;
mod folders;
mod layers;
mod origin;
mod overrides;
mod picture_form;
mod presets;
mod prices;
mod problem;
mod resolved;
mod schema;
mod setting_edit;
mod settings;
mod source_file;

pub use assigned::{AssignedSetting, SettingKind, is_settings_table, setting_kind};
pub use catalog::{Catalog, CatalogEntry};
pub use document::json_value as toml_value;
pub use file_watcher::FileWatcher;
pub use folders::Folders;
pub use layers::Sources;
pub use origin::{Origin, ResolvedSetting};
pub use overrides::{SettingOverride, refuse_repeated};
pub use picture_form::PictureForm;
pub use presets::{SHIPPED_PRESETS, load_presets};
pub use prices::{PRICES_TEMPLATE, example as example_prices, load_prices, object as price_object};
pub use problem::Problem;
pub use problem::SourceLocation;
pub use resolved::Config;
pub use schema::{DEFAULTS, setting_default, setting_summary};
pub use setting_edit::{SettingEdit, edit_project_setting};
pub use settings::{
    ClipboardSetting, FaultSettings, FrameDisplay, LayoutSettings, LinkSetting, LogLevel, LogSettings,
    MemorySettings, ModelSettings, MotionSetting, MouseSetting, PlaySettings, RunSettings, ScreenSettings,
    Settings, StoreSettings, SweepSettings,
};
pub use source_file::SourceFile;
