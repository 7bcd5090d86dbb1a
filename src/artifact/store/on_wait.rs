//! What happens where another program is waited for.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

type Tell = dyn Fn(&Path) + Send + Sync;

/// What is done about another program that holds a lock. The default waits and says nothing.
#[derive(Clone, Default)]
pub struct OnWait {
    tell: Option<Arc<Tell>>,
    gives_up: Option<Arc<AtomicBool>>,
    until: Option<Instant>,
}

impl OnWait {
    /// Calls this with the lock file once a wait has taken a second.
    pub fn new(tell: impl Fn(&Path) + Send + Sync + 'static) -> Self {
        Self { tell: Some(Arc::new(tell)), ..Self::default() }
    }

    /// Waits for nobody: a lock that another program holds is an error.
    pub fn never() -> Self {
        Self::default().until(Arc::new(AtomicBool::new(true)))
    }

    /// Waits until this is set, and not at all from then on.
    #[must_use]
    pub fn until(self, given_up: Arc<AtomicBool>) -> Self {
        Self { gives_up: Some(given_up), ..self }
    }

    /// Waits no longer than this from now.
    pub fn at_most(wait: Duration) -> Self {
        Self { until: Instant::now().checked_add(wait), ..Self::default() }
    }

    pub(super) fn tell(&self, lock_file: &Path) {
        if let Some(tell) = &self.tell {
            tell(lock_file);
        }
    }

    /// Whether the wait may end before its time.
    pub(super) fn may_give_up(&self) -> bool {
        self.gives_up.is_some() || self.until.is_some()
    }

    pub(super) fn has_given_up(&self) -> bool {
        let is_over = self.until.is_some_and(|until| until <= Instant::now());
        is_over || self.gives_up.as_ref().is_some_and(|given_up| given_up.load(Ordering::Acquire))
    }
}

impl fmt::Debug for OnWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnWait")
            .field("tells", &self.tell.is_some())
            .field("gives_up", &self.gives_up)
            .finish()
    }
}
