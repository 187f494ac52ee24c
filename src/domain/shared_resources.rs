//! What the environments of a process share, such as a browser: one value of each type.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
#[expect(clippy::disallowed_types, reason = "locked only to look up or insert")]
use std::sync::Mutex;
use std::sync::{Arc, PoisonError};

/// Resources by their type. Clones share them. An environment must not rely on a resource: it makes its own where there
/// is none, so that it also works alone.
#[derive(Clone, Default)]
#[expect(clippy::disallowed_types, reason = "locked only to look up or insert")]
pub struct SharedResources(Arc<Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>>);

impl SharedResources {
    /// The resource of this type. The first caller makes it; `make` must be quick and must not use the registry.
    pub fn get_or_insert_with<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut resources = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = resources.get(&TypeId::of::<T>()).cloned().and_then(|found| found.downcast().ok());
        found.unwrap_or_else(|| {
            let resource = Arc::new(make());
            resources.insert(TypeId::of::<T>(), resource.clone());
            resource
        })
    }
}

impl fmt::Debug for SharedResources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedResources")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_one_value_of_each_type() {
        let resources = SharedResources::default();
        let made = std::cell::Cell::new(0_u32);
        let number = |from: &SharedResources| {
            from.get_or_insert_with(|| {
                made.set(made.get() + 1);
                made.get()
            })
        };
        let first = number(&resources);
        let second = number(&resources.clone());
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!((*first, made.get(), *resources.get_or_insert_with(|| "text")), (1, 1, "text"));
        assert_eq!(*number(&SharedResources::default()), 2, "another registry has its own");
    }
}
