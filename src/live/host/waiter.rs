//! Who waits, and for what.

use super::wait::Wait;

/// Somebody who waits.
pub(super) struct Waiter {
    /// Who; none for a task.
    pub(super) client: Option<u64>,
    pub(super) purpose: Purpose,
    pub(super) wait: Wait,
    /// The longest text of the answer in bytes.
    pub(super) most: usize,
}

/// What `terminal_execute` typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// Nothing: it only looks.
    Nothing,
    /// A command, or something for one that runs.
    Line,
    /// Something at the prompt that is no whole command.
    Edit {
        /// Whether text stood there before, or comes to its end in what was typed.
        ends_line: bool,
    },
}

/// What for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Open,
    Send,
    Wait,
    /// As `terminal_execute`, which typed this.
    Execute(Typed),
    Task(u64),
    TaskOutput(u64),
    TaskEnd(u64),
    /// The first page of a job, for who started it.
    FirstPage,
    /// A page of a job.
    Page,
    /// The end of a job.
    End,
}

impl Purpose {
    /// Whether who waits for this typed something.
    pub(super) fn is_send(self) -> bool {
        matches!(self, Self::Send | Self::Task(_)) || self.types()
    }

    /// Whether nothing can have come of it before what is held back is typed.
    pub(super) fn awaits_held(self) -> bool {
        self.is_send() || matches!(self, Self::Execute(_))
    }

    /// Whether it is a page.
    pub(super) fn is_page(self) -> bool {
        matches!(self, Self::FirstPage | Self::Page)
    }

    /// Whether who waits for this only looks.
    pub(super) fn is_wait(self) -> bool {
        matches!(self, Self::Wait | Self::Execute(Typed::Nothing))
    }

    fn types(self) -> bool {
        matches!(self, Self::Execute(typed) if typed != Typed::Nothing)
    }
}
