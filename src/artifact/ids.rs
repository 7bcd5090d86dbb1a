//! New ids, in the forms that codex-deck makes.

use std::io;

use crate::home::TerminalId;

/// Numbers that nobody can guess, from the operating system.
///
/// # Errors
/// The system has none to give.
fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes)
}

const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        let digit = usize::try_from(number % 36).unwrap_or(0);
        digits.push(char::from(DIGITS[digit]));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// Eight base-36 digits. They are the last ones of a 64-bit number, which makes no digit more
/// likely than another by more than one part in a million.
fn random_digits() -> io::Result<String> {
    let number = u64::from_le_bytes(random()?) % 36_u64.pow(8);
    Ok(format!("{:0>8}", base36(number)))
}

/// 32 hexadecimal digits for a mark that nobody can forge.
///
/// # Errors
/// The system has no random numbers to give.
pub fn nonce() -> io::Result<String> {
    Ok(format!("{:032x}", u128::from_le_bytes(random()?)))
}

/// `terminal-`, eight random digits, the last four of the time.
///
/// # Errors
/// The system has no random numbers to give.
pub fn terminal_id(now_ms: u64) -> io::Result<TerminalId> {
    let time = now_ms % 36_u64.pow(4);
    let id = format!("terminal-{}{:0>4}", random_digits()?, base36(time));
    TerminalId::new(&id).map_err(io::Error::other)
}

/// `block-`, the time, `-`, eight random digits.
///
/// # Errors
/// The system has no random numbers to give.
pub fn block_id(now_ms: u64) -> io::Result<String> {
    Ok(format!("block-{}-{}", base36(now_ms), random_digits()?))
}

/// The id of a block that was to have one and of which only this is known: the same each time.
pub fn block_id_of(time_ms: u64, process: u32) -> String {
    format!("block-{:0>8}-{:0>8}", base36(time_ms), base36(process.into()))
}

/// What ids of jobs begin with.
pub const JOB: &str = "codex-terminal-";

/// Whether an id is that of a job: a number behind [`JOB`].
pub fn is_job(id: &str) -> bool {
    let digits = id.strip_prefix(JOB).unwrap_or_default();
    digits.bytes().all(|byte| byte.is_ascii_digit())
        && !matches!(digits.as_bytes(), [] | [b'0', ..])
}

/// Whether an id may name a file: letters, digits, `-` and `_`, and not too many.
pub fn is_plain(id: &str) -> bool {
    const LONGEST: usize = 128;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=LONGEST).contains(&id.len()) && id.bytes().all(is_plain)
}

/// A random UUID (version 4), for a session that no Codex thread names.
///
/// # Errors
/// The system has no random numbers to give.
pub fn session_id() -> io::Result<String> {
    let mut bits = u128::from_le_bytes(random()?);
    bits &= !(0xf000_u128 << 64) & !(0xc000_u128 << 48);
    bits |= (0x4000_u128 << 64) | (0x8000_u128 << 48);
    let hex = format!("{bits:032x}");
    let (a, rest) = hex.split_at(8);
    let (b, rest) = rest.split_at(4);
    let (c, rest) = rest.split_at(4);
    let (d, e) = rest.split_at(4);
    Ok(format!("{a}-{b}-{c}-{d}-{e}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;

    #[test]
    fn jobs_are_told_by_their_ids() {
        for id in ["codex-terminal-1", "codex-terminal-901234567890123456789012"] {
            assert!(is_job(id), "{id}");
        }
        for id in [
            "",
            "codex-terminal-",
            "codex-terminal-0",
            "codex-terminal-01",
            "1",
            "codex-terminal-1 ",
            " codex-terminal-1",
            "Codex-terminal-1",
            "codex-terminal-+1",
        ] {
            assert!(!is_job(id), "{id}");
        }
    }

    #[test]
    fn ids_have_the_forms_of_codex_deck() {
        let now = 1_780_000_000_000;
        let matches = |pattern: &str, text: &str| {
            assert!(Regex::new(pattern).unwrap().is_match(text), "{text}");
        };
        assert_eq!(base36(0), "0");
        assert_eq!(base36(now), "mppy1i4g");
        matches("^terminal-[0-9a-z]{8}1i4g$", terminal_id(now).unwrap().as_str());
        matches("^block-mppy1i4g-[0-9a-z]{8}$", &block_id(now).unwrap());
        let uuid = "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$";
        for _ in 0..50 {
            matches(uuid, &session_id().unwrap());
        }
        assert_ne!(session_id().unwrap(), session_id().unwrap());
    }
}
