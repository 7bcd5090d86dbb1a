//! The screen beside alacritty_terminal and @xterm/headless, on the same bytes in one run.
//!
//! `cargo run --release` in this folder. For xterm.js, `npm ci` in `tests/oracle` first; without
//! it, that part is left out. Times are processor time where the system tells it, so that a busy
//! machine does not change the ratios.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::term::{Config, Term};
use alacritty_terminal::vte::ansi::Processor;
use terminal_session::screen::{Screen, Scrollback, Size};
use terminal_session::snapshot::serialize;

const COLS: usize = 80;
const ROWS: usize = 24;
const SCROLLBACK: usize = 10_000;
const MB: usize = 1_000_000;
const CHUNK: usize = 1 << 16;
const ROUNDS: usize = 5;

/// Counts what is allocated at the moment.
struct Counting;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all is passed on to the system's allocator; only the sizes are added up.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Lines as a compiler or a listing writes them, about a third of the bytes in colour sequences.
fn coloured_text(len: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(len + 200);
    let mut state = 0_u32;
    while out.len() < len {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (a, b, c) = (state >> 8, state >> 20, state >> 4 & 1023);
        out.extend_from_slice(
            format!(
                "\x1b[32m{a:>8}\x1b[0m \x1b[1;34msrc/module_{}\x1b[0m: \x1b[33mwarning\x1b[0m: \
                 unused variable \x1b[36m`value{b}`\x1b[0m at line {c}\r\n",
                a & 63
            )
            .as_bytes(),
        );
    }
    out
}

/// Processor time of this process, or the time of day where it cannot be told.
fn now() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let start = START.get_or_init(Instant::now);
    let Ok(stat) = fs::read_to_string("/proc/self/schedstat") else {
        return start.elapsed();
    };
    let nanos = stat.split(' ').next().and_then(|part| part.parse().ok());
    nanos.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// The shortest of several rounds.
fn best(mut round: impl FnMut()) -> Duration {
    let times = (0..ROUNDS).map(|_| {
        let start = now();
        round();
        now() - start
    });
    times.min().unwrap_or_default()
}

fn rate(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / MB as f64 / time.as_secs_f64()
}

fn ours(data: &[u8]) -> Screen {
    let size = Size {
        cols: COLS as u16,
        rows: ROWS as u16,
    };
    let mut screen = Screen::new(size, Scrollback::Rows(SCROLLBACK));
    for chunk in data.chunks(CHUNK) {
        screen.feed(chunk);
    }
    screen
}

struct Dimension;

impl Dimensions for Dimension {
    fn total_lines(&self) -> usize {
        ROWS
    }

    fn screen_lines(&self) -> usize {
        ROWS
    }

    fn columns(&self) -> usize {
        COLS
    }
}

fn alacritty(data: &[u8]) -> Term<VoidListener> {
    let config = Config {
        scrolling_history: SCROLLBACK,
        ..Config::default()
    };
    let mut term = Term::new(config, &Dimension, VoidListener);
    let mut parser: Processor = Processor::new();
    for chunk in data.chunks(CHUNK) {
        parser.advance(&mut term, chunk);
    }
    term
}

/// MB/s of xterm.js on the file, by its own account.
fn xterm(file: &Path) -> Option<f64> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/speed.mjs");
    let output = Command::new("node").arg(script).arg(file).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

fn main() {
    let data = coloured_text(64 * MB);

    let mine = rate(data.len(), best(|| drop(ours(&data))));
    println!("screen             {mine:7.0} MB/s");
    let other = rate(data.len(), best(|| drop(alacritty(&data))));
    println!(
        "alacritty_terminal {other:7.0} MB/s   screen is {:.1} times as fast",
        mine / other
    );
    let file = std::env::temp_dir().join(format!("compare-{}.txt", std::process::id()));
    let written = fs::write(&file, &data).is_ok();
    match xterm(&file).filter(|_| written) {
        Some(other) => {
            println!(
                "@xterm/headless    {other:7.0} MB/s   screen is {:.1} times as fast",
                mine / other
            );
        }
        None => println!("@xterm/headless    not there: `npm ci` in tests/oracle"),
    }
    if let Err(error) = fs::remove_file(&file) {
        println!("{}: {error}", file.display());
    }

    let before = ALLOCATED.load(Relaxed);
    let screen = ours(&data);
    let used = ALLOCATED.load(Relaxed) - before;
    println!(
        "{SCROLLBACK} x {COLS} rows    {:7.2} MiB",
        used as f64 / f64::from(1 << 20)
    );
    let before = ALLOCATED.load(Relaxed);
    let term = alacritty(&data);
    let used = ALLOCATED.load(Relaxed) - before;
    println!(
        "  alacritty_terminal {:5.2} MiB",
        used as f64 / f64::from(1 << 20)
    );
    drop(term);
    let mut len = 0;
    let time = best(|| len = serialize(&screen).len());
    println!(
        "serialize          {:7.2} ms    {len} bytes",
        time.as_secs_f64() * 1000.0
    );
}
