//! Where the processes of sweeps share the limits of model servers: in a folder of the store, or in Redis.

mod file;
mod redis;
#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;
use std::sync::Arc;

use self::file::FileDocuments;
use self::redis::RedisDocuments;
use super::claims::{BootClock, Claims, Clock, Timing};
use mageyard_agents::{SharedDocuments, SharedPermits};
use mageyard_lab::Lab;

/// The folder of the documents in a store.
const FOLDER: &str = ".permits";
/// The value of the setting for this folder.
const IN_STORE: &str = "file";

/// Shares the limits of model servers with the other processes that have the same setting `sweep.permits`, which is not
/// empty: `file` for the store with this root, or the address of a Redis server. Asks the server once.
pub fn share_permits(lab: &Lab, setting: &str, store: &Path, claims: &Claims) -> io::Result<()> {
    let timing = claims.timing();
    let permits = SharedPermits {
        documents: shared_documents(lab, setting, store, timing)?,
        process: claims.worker().to_string(),
        heartbeat: timing.heartbeat,
        lease: timing.lease,
        takeover: timing.takeover(),
        clock: || BootClock.now(),
    };
    // Whether it can be reached; there is no document with this name.
    permits.documents.read("none")?;
    lab.models.share_permits(permits);
    Ok(())
}

/// Gives the shares of this process back to the others. No request may be sent any more.
pub async fn leave_shared_permits(lab: &Lab) {
    lab.models.leave_shared_permits().await;
}

fn shared_documents(
    lab: &Lab,
    setting: &str,
    store: &Path,
    timing: Timing,
) -> io::Result<Arc<dyn SharedDocuments>> {
    if setting == IN_STORE {
        return Ok(Arc::new(FileDocuments::new(store.join(FOLDER))));
    }
    // All processes have ended, or lost their shares, long before.
    let expiry = timing.takeover() * 100;
    Ok(Arc::new(RedisDocuments::new(setting, &lab.key_lookup, expiry)?))
}
