//! Signs of life of a call that takes long.

use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

/// Between two of them.
const PAUSE: Duration = Duration::from_secs(1);

/// Tells a client that asked for it how long its call has worked.
pub(super) struct Progress {
    peer: Peer<RoleServer>,
    token: ProgressToken,
    begun: Instant,
    /// The longest that it can take, in seconds, where that is known.
    most: Option<f64>,
    ticks: Interval,
}

impl Progress {
    pub(super) fn new(peer: Peer<RoleServer>, token: ProgressToken, most: Option<f64>) -> Self {
        let begun = Instant::now();
        let mut ticks = interval_at(begun + PAUSE, PAUSE);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { peer, token, begun, most, ticks }
    }

    /// Tells it after a while, again and again.
    pub(super) async fn go_on(&mut self) {
        loop {
            self.ticks.tick().await;
            let seconds = self.begun.elapsed().as_secs_f64();
            let mut progress = ProgressNotificationParam::new(self.token.clone(), seconds);
            progress.total = self.most.filter(|most| *most > seconds);
            let progress = progress.with_message(format!("waiting for {seconds:.0} s"));
            // A client that is gone needs none; the end of the connection is seen elsewhere.
            self.peer.notify_progress(progress).await.unwrap_or_default();
        }
    }
}
