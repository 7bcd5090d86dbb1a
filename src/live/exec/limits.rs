//! How long calls wait and how much they answer.

use super::ExecError;
use crate::live::usual::RETAIN;
use crate::live::wire::Waiting;

/// Jobs that an agent may have at a time, unless another number is given.
pub const MOST_JOBS: usize = 64;
/// Tokens that a page may have at most, unless another number is given.
pub const MOST_TOKENS: u64 = 10_000;

/// Tokens of a page where none are asked for.
const TOKENS: u64 = 4_000;
const BYTES_PER_TOKEN: u64 = 4;
/// Bytes of a page at most, whatever a deployment allows: far below the longest answer that is taken,
/// with all that is escaped in it.
const MOST_BYTES: u64 = 16 << 20;

/// How long a call waits where nothing else is asked for, and how long at most, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(in crate::live) struct Wait {
    default: u64,
    most: u64,
}

impl Wait {
    /// The longest that a call which asks for this waits.
    #[cfg(feature = "mcp")]
    pub(in crate::live) fn longest(self, asked: Option<f64>) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "they are small")]
        let (default, most) = (self.default as f64, self.most as f64);
        asked.unwrap_or(default).clamp(0.0, most)
    }
}

/// For the end of a command.
pub(in crate::live) const COMMAND: Wait = Wait { default: 10_000, most: 30_000 };
/// For what comes of input.
pub(in crate::live) const INPUT: Wait = Wait { default: 250, most: 30_000 };
/// For output, without any input.
pub(in crate::live) const POLL: Wait = Wait { default: 250, most: 300_000 };

/// What a deployment allows.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Jobs of an agent at a time that run or are not read to their end.
    pub jobs: usize,
    /// Tokens of a page; a call that wants more gets so many.
    pub tokens: u64,
    /// Bytes of output that wait to be read; beyond that the middle of them is dropped.
    pub retain: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { jobs: MOST_JOBS, tokens: MOST_TOKENS, retain: RETAIN }
    }
}

impl Limits {
    /// What is asked for, as far as it is allowed, and what is to be said where it is not.
    pub(super) fn waiting(
        &self,
        wait: Wait,
        yield_time_ms: Option<f64>,
        max_output_tokens: Option<f64>,
    ) -> Result<(Waiting, Vec<String>), ExecError> {
        let timeout_ms = match yield_time_ms {
            None => wait.default,
            Some(ms) if ms.is_finite() && ms >= 0.0 => (ms.floor() as u64).min(wait.most),
            Some(_) => {
                let message = "yield_time_ms must be a non-negative finite number";
                return Err(ExecError::Invalid(message));
            }
        };
        let tokens = match max_output_tokens {
            None => TOKENS,
            Some(tokens) if tokens.is_finite() && tokens > 0.0 => (tokens.floor() as u64).max(1),
            Some(_) => {
                let message = "max_output_tokens must be a positive finite number";
                return Err(ExecError::Invalid(message));
            }
        };
        let most = self.tokens.clamp(1, MOST_BYTES / BYTES_PER_TOKEN);
        let bytes = tokens.min(most) * BYTES_PER_TOKEN;
        let clamped = |name, given: Option<f64>, most: u64| {
            let is_more = given.is_some_and(|given| given.floor() > most as f64);
            is_more.then(|| format!("{name} is {most} at most, which was taken"))
        };
        let notes = [
            clamped("yield_time_ms", yield_time_ms, wait.most),
            clamped("max_output_tokens", max_output_tokens, most),
        ];
        let max_bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        Ok((Waiting { timeout_ms, max_bytes }, notes.into_iter().flatten().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_checked_and_clamped() {
        let limits = Limits { tokens: 5_000, ..Limits::default() };
        let waiting = |wait, ms, tokens| {
            let (waiting, notes) = limits.waiting(wait, ms, tokens)?;
            let names: Vec<_> = notes
                .iter()
                .filter_map(|note| note.split(" at").next())
                .map(str::to_owned)
                .collect();
            Ok::<_, ExecError>((waiting.timeout_ms, waiting.max_bytes, names.join(", ")))
        };
        let both = "yield_time_ms is 300000, max_output_tokens is 5000";
        for (wait, ms, tokens, (want_ms, want_bytes, note)) in [
            (COMMAND, None, None, (10_000, 16_000, "")),
            (COMMAND, Some(30_000.9), Some(5_000.5), (30_000, 20_000, "")),
            (INPUT, None, Some(0.5), (250, 4, "")),
            (INPUT, Some(1e300), Some(3.9), (30_000, 12, "yield_time_ms is 30000")),
            (POLL, Some(1e6), Some(1e300), (300_000, 20_000, both)),
            (POLL, Some(0.9), None, (0, 16_000, "")),
        ] {
            let want = (want_ms, want_bytes, note.to_owned());
            assert_eq!(waiting(wait, ms, tokens).unwrap(), want);
        }
        let limits = Limits { tokens: u64::MAX, ..limits };
        for tokens in [f64::from(16 << 20), 1e300] {
            assert_eq!(limits.waiting(POLL, None, Some(tokens)).unwrap().0.max_bytes, 16 << 20);
        }
        for ms in [-1.0, -0.001, f64::NAN, f64::INFINITY] {
            let error = waiting(POLL, Some(ms), None).unwrap_err().to_string();
            assert_eq!(error, "yield_time_ms must be a non-negative finite number");
        }
        for tokens in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = waiting(POLL, None, Some(tokens)).unwrap_err().to_string();
            assert_eq!(error, "max_output_tokens must be a positive finite number");
        }
    }
}
