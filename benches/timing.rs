//! What benches share: a command as a whole process, and the middle of many times.

#![allow(dead_code, reason = "not each of them needs all")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// A command that is run again and again.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) command: Vec<String>,
    /// Times `cat`.
    pub(crate) bound: Option<f64>,
    times: Vec<Duration>,
}

impl Row {
    pub(crate) fn new(name: &'static str, words: &[&str], bound: Option<f64>) -> Self {
        let command = words.iter().map(|word| (*word).to_owned()).collect();
        Self { name, command, bound, times: Vec::new() }
    }
}

/// Runs all rows in turn, so that a slow moment falls on all of them; each one's median in seconds.
/// The first round warms caches.
pub(crate) fn run_in_turn(rows: &mut [Row], runs: usize) -> Vec<f64> {
    for run in 0..=runs {
        for row in rows.iter_mut() {
            let time = time(&row.command);
            if run > 0 {
                row.times.push(time);
            }
        }
    }
    rows.iter_mut().map(|row| median(std::mem::take(&mut row.times)).as_secs_f64()).collect()
}

/// The output goes through a pipe that is read, as it does for those who call these programs.
fn time(words: &[String]) -> Duration {
    let start = Instant::now();
    let mut command = Command::new(&words[0]);
    let output = command.args(&words[1..]).stderr(Stdio::inherit()).output().unwrap();
    let time = start.elapsed();
    assert!(output.status.success(), "{words:?}");
    time
}
