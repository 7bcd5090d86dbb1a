//! Signals that whoever started us wants ignored.

#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;

/// Whether a signal is ignored now.
pub(super) fn is_ignored(signal: libc::c_int) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action nothing changes, and the old one is written to a place of its
    // size.
    let result = unsafe { libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) };
    // SAFETY: all zeros, which it is where the call failed, are an action too.
    let action = unsafe { action.assume_init() };
    result == 0 && action.sa_sigaction == libc::SIG_IGN
}
