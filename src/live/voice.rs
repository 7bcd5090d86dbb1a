//! Whom a message is for.

/// How whoever reads a message calls what it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    /// By commands and options.
    CommandLine,
    /// By tools and arguments.
    Tools,
}
