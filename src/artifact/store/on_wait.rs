//! What is said of a long wait.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

type Tell = dyn Fn(&Path) + Send + Sync;

/// Called with the lock file once another program has held it for a second, from another thread
/// than the one that waits. The default says nothing.
#[derive(Clone, Default)]
pub struct OnWait(Option<Arc<Tell>>);

impl OnWait {
    /// Calls this.
    pub fn new(tell: impl Fn(&Path) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(tell)))
    }

    pub(super) fn tell(&self, lock_file: &Path) {
        if let Some(tell) = &self.0 {
            tell(lock_file);
        }
    }
}

impl fmt::Debug for OnWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "OnWait(..)" } else { "OnWait" })
    }
}
