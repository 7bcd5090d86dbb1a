//! What an answer took away, until it is on its way to the client.
//!
//! A call may be cancelled when its answer is there already, and the answer goes nowhere then. So a
//! page is confirmed only when the answer is being written.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::task::{spawn, spawn_blocking};

use super::tasks::Reading;
use crate::live::Receipt;

/// What an answer tells that its client gets once.
pub(super) struct Delivery {
    receipt: Option<Receipt>,
    /// The call that asks, where the answer tells of an end.
    telling: Option<Reading>,
    lost: Option<Box<dyn FnOnce() + Send>>,
}

impl Delivery {
    /// Of a page.
    pub(super) fn of(receipt: Receipt) -> Self {
        Self { receipt: Some(receipt), telling: None, lost: None }
    }

    /// The same of one that tells of the end of what this call asks about.
    pub(super) fn tells_end(mut self, reading: Reading) -> Self {
        self.telling = Some(reading);
        self
    }

    /// The same with what is done where the answer goes nowhere.
    pub(super) fn or_else(mut self, lost: impl FnOnce() + Send + 'static) -> Self {
        self.lost = Some(Box::new(lost));
        self
    }

    /// The answer is on its way.
    fn arrives(mut self) {
        self.lost = None;
        if let Some(receipt) = self.receipt.take() {
            receipt.confirm();
        }
        if let Some(reading) = self.telling.take() {
            reading.saw_end();
        }
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        // First, so that the page is there for whoever hears of it.
        drop(self.receipt.take());
        if let Some(lost) = self.lost.take() {
            lost();
        }
    }
}

/// The answers of a connection that are about to be written.
#[derive(Clone, Default)]
pub(super) struct Deliveries(Arc<Mutex<HashMap<RequestId, Delivery>>>);

impl Deliveries {
    /// Has what an answer takes away be gone once that is written. Where it is not by the end of the
    /// request it never is. To be called on the thread of the connection, which writes an answer as it
    /// ends its request.
    pub(super) fn hold(
        &self,
        request: RequestId,
        delivery: Delivery,
        end: impl Future<Output = ()> + Send + 'static,
    ) {
        self.all().insert(request.clone(), delivery);
        let deliveries = self.clone();
        spawn(async move {
            end.await;
            drop(deliveries.take(&request));
        });
    }

    /// What the answer to a request tells, if it was not written.
    fn take(&self, request: &RequestId) -> Option<Delivery> {
        self.all().remove(request)
    }

    fn all(&self) -> MutexGuard<'_, HashMap<RequestId, Delivery>> {
        // Nothing is left half done where it is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A way to the client that takes note of what goes there.
pub(super) struct Delivering<T> {
    pub(super) way: T,
    pub(super) deliveries: Deliveries,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Delivering<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let delivery = match &message {
            JsonRpcMessage::Response(response) => self.deliveries.take(&response.id),
            _ => None,
        };
        let sent = self.way.send(message);
        async move {
            if let Some(delivery) = delivery {
                // Before the client can ask for what comes after it. A failure is the connection's
                // end, and that of its jobs.
                spawn_blocking(|| delivery.arrives()).await.unwrap_or_default();
            }
            sent.await
        }
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleServer>>> + Send {
        self.way.receive()
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.way.close()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};
    use std::os::unix::net::UnixStream;

    use rmcp::model::{CallToolResult, ServerResult};

    use super::*;
    use crate::live::HangUp;

    /// A client that gets everything.
    struct Away;

    impl Transport<RoleServer> for Away {
        type Error = io::Error;

        async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
            None
        }

        fn send(
            &mut self,
            _: TxJsonRpcMessage<RoleServer>,
        ) -> impl Future<Output = io::Result<()>> + Send + 'static {
            std::future::ready(Ok(()))
        }

        async fn close(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_page_is_confirmed_where_its_answer_is_written_and_lost_where_not() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let deliveries = Deliveries::default();
        let mut way = Delivering { way: Away, deliveries: deliveries.clone() };
        let (lost, is_lost) = std::sync::mpsc::channel();
        let begin = |number: i64| {
            let (host, ours) = UnixStream::pair().unwrap();
            let watched = HangUp::default().watch(&ours).unwrap();
            let lost = lost.clone();
            let delivery = Delivery::of(Receipt::over(ours, watched, false))
                .or_else(move || lost.send(number).unwrap());
            let (end, ended) = tokio::sync::oneshot::channel();
            deliveries.hold(RequestId::Number(number), delivery, async { ended.await.unwrap() });
            (host, end)
        };
        let said = |mut host: UnixStream| {
            let mut said = Vec::new();
            host.read_to_end(&mut said).unwrap();
            said
        };
        runtime.block_on(async {
            let ((written, first_end), (cancelled, second_end)) = (begin(1), begin(2));
            let result = ServerResult::CallToolResult(CallToolResult::success(Vec::new()));
            // The end of the request comes when its answer is about to be written.
            let answer = way.send(JsonRpcMessage::response(result, RequestId::Number(1)));
            for end in [first_end, second_end] {
                end.send(()).unwrap();
            }
            answer.await.unwrap();
            while !deliveries.all().is_empty() {
                tokio::task::yield_now().await;
            }
            assert_eq!((said(written), said(cancelled)), (b"\n".to_vec(), Vec::new()));
        });
        drop(lost);
        drop(runtime);
        assert_eq!(is_lost.into_iter().collect::<Vec<_>>(), [2]);
    }
}
