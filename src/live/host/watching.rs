//! Clients that look on.

use std::collections::VecDeque;

use super::connection::Stage;
use super::state::Host;
use super::view_filter::ViewFilter;
use crate::live::wire::{Answer, LONGEST_TEXT, Value};
use crate::screen::Size;

impl Host {
    pub(super) fn watch(&mut self, client: u64, read_only: bool) {
        // The screen already has it; those who look on do not.
        self.show_watchers();
        if !self.terminal.is_watched {
            // It saw nothing of what nobody saw.
            self.view = ViewFilter::default();
        }
        let screen = crate::snapshot::serialize(self.terminal.screen());
        let connection = self.connections.iter_mut().find(|known| known.number == client);
        if let Some(connection) = connection {
            connection.stage = Stage::Watching { read_only };
            connection.send_line(&Answer::Done(Value::Attached));
            connection.send_history(screen.as_bytes());
        }
        self.terminal.is_watched = true;
    }

    pub(super) fn show_watchers(&mut self) {
        let pieces: VecDeque<Vec<u8>> = std::mem::take(&mut self.terminal.watchers);
        let pieces: Vec<Vec<u8>> = pieces.iter().map(|piece| self.view.feed(piece)).collect();
        for connection in &mut self.connections {
            if matches!(connection.stage, Stage::Watching { .. }) {
                for piece in &pieces {
                    connection.send(piece);
                }
                connection.write();
                if self.terminal.is_over() && !connection.has_to_send() {
                    connection.stage = Stage::Gone;
                }
            }
        }
    }

    /// Frames of a client that looks on: a letter, four bytes of length, data. `i` is input, `r` a
    /// size, two bytes for the columns and two for the rows.
    pub(super) fn take_frames(&mut self, number: u64, read_only: bool) {
        loop {
            let Some(connection) = self.connection(number) else {
                return;
            };
            let received = connection.take_received();
            let Some((kind, length)) = frame(received) else {
                return;
            };
            if received.len() < 5 + length {
                return;
            }
            let data: Vec<u8> = received.drain(..5 + length).skip(5).collect();
            if read_only {
                continue;
            }
            match (kind, data.as_slice()) {
                // As a keyboard beeps whose keys nobody takes.
                (b'i', keys) if self.terminal.input.keys_waiting() + keys.len() > LONGEST_TEXT => {
                    if let Some(connection) = self.connection(number) {
                        connection.send(b"\x07");
                    }
                }
                (b'i', keys) => self.terminal.type_keys(keys),
                (b'r', &[a, b, c, d]) => {
                    let size = Size::new(u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
                    if let Some(size) = size {
                        self.terminal.resize(size).unwrap_or_default();
                    }
                }
                _ => {}
            }
        }
    }
}

fn frame(received: &[u8]) -> Option<(u8, usize)> {
    let &[kind, a, b, c, d, ..] = received else {
        return None;
    };
    Some((kind, usize::try_from(u32::from_be_bytes([a, b, c, d])).ok()?))
}
