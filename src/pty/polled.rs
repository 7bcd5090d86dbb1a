//! What a thread waits for that waits for several things.
//!
//! The list is in the memory of its process, or with the system. Who may not look there is told
//! nothing.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;

/// Most descriptors that are looked at.
const MOST: u64 = 4096;

/// `POLLIN` and `POLLRDNORM`: there is something to read.
const IN: i16 = 0x01 | 0x40;

/// A wait for several things, by where the list of them is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Many {
    /// An array of so many `pollfd` at this address.
    Poll { address: u64, count: u64 },
    /// A set of the descriptors below a number at this address; none at 0.
    Select { below: u64, address: u64 },
    /// The interest list of this descriptor.
    Epoll { descriptor: u64 },
}

/// The descriptors that a thread of the process waits to read from; none where that cannot be seen.
pub(super) fn polled(process: &str, many: Many) -> Option<Vec<u64>> {
    match many {
        Many::Poll { count, .. } | Many::Select { below: count, .. } if count > MOST => None,
        Many::Poll { address, count } => {
            let bytes = memory(process, address, count * 8)?;
            let (entries, _) = bytes.as_chunks::<8>();
            Some(entries.iter().filter_map(readable).collect())
        }
        Many::Select { address: 0, .. } => Some(Vec::new()),
        Many::Select { below, address } => {
            let bytes = memory(process, address, below.div_ceil(8))?;
            let is_in = |number: &u64| {
                let byte = usize::try_from(number / 8).ok().and_then(|at| bytes.get(at));
                byte.is_some_and(|byte| byte >> (number % 8) & 1 == 1)
            };
            Some((0..below).filter(is_in).collect())
        }
        Many::Epoll { descriptor } => {
            let text = fs::read_to_string(format!("{process}/fdinfo/{descriptor}")).ok()?;
            Some(text.lines().filter_map(listed).collect())
        }
    }
}

/// The descriptor of a `pollfd`, if something to read from it is waited for.
fn readable(entry: &[u8; 8]) -> Option<u64> {
    let [a, b, c, d, low, high, ..] = *entry;
    let is_read = i16::from_ne_bytes([low, high]) & IN != 0;
    // Those below 0 are left out of the wait.
    u64::try_from(i32::from_ne_bytes([a, b, c, d])).ok().filter(|_| is_read)
}

/// The descriptor of a line `tfd: 0 events: 19 …`, likewise.
fn listed(line: &str) -> Option<u64> {
    let mut words = line.strip_prefix("tfd:")?.split_ascii_whitespace();
    let descriptor = words.next()?.parse().ok()?;
    let events = words.nth(1).and_then(|digits| u32::from_str_radix(digits, 16).ok())?;
    (events & u32::from(IN.cast_unsigned()) != 0).then_some(descriptor)
}

fn memory(process: &str, address: u64, length: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    let memory = File::open(format!("{process}/mem")).ok()?;
    memory.read_exact_at(&mut bytes, address).ok()?;
    Some(bytes)
}
