//! What a recording is played to.

use super::ImportError;
use crate::screen::Size;

/// Gets the parts of a recording in their order.
pub(super) trait Sink {
    /// What follows happened this many seconds after the start.
    fn time(&mut self, seconds: f64);

    /// A program wrote these bytes; a character may go on in the next ones.
    fn output(&mut self, bytes: &[u8]) -> Result<(), ImportError>;

    /// The terminal got this size.
    fn resize(&mut self, size: Size);

    /// The person who recorded set a mark.
    fn marker(&mut self) -> Result<(), ImportError>;

    /// The program that was recorded ended.
    fn exit(&mut self, code: i64);

    /// Something that the user should know and that does not stop the import.
    fn note(&mut self, note: String);
}

#[cfg(test)]
pub(super) mod log {
    //! A sink that writes down what it gets.

    use super::*;

    /// What was played, outputs next to each other joined.
    #[derive(Default)]
    pub(in crate::record) struct Log {
        pub(in crate::record) parts: Vec<String>,
        output: Vec<u8>,
    }

    impl Log {
        pub(in crate::record) fn finish(mut self) -> Vec<String> {
            self.flush();
            self.parts
        }

        fn flush(&mut self) {
            if !self.output.is_empty() {
                let output = std::mem::take(&mut self.output);
                self.parts.push(format!("o {}", output.escape_ascii()));
            }
        }

        fn add(&mut self, part: String) {
            self.flush();
            self.parts.push(part);
        }
    }

    impl Sink for Log {
        fn time(&mut self, _seconds: f64) {}

        fn output(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
            self.output.extend_from_slice(bytes);
            Ok(())
        }

        fn resize(&mut self, size: Size) {
            self.add(format!("r {}x{}", size.cols, size.rows));
        }

        fn marker(&mut self) -> Result<(), ImportError> {
            self.add("m".to_owned());
            Ok(())
        }

        fn exit(&mut self, code: i64) {
            self.add(format!("x {code}"));
        }

        fn note(&mut self, note: String) {
            self.add(format!("note {note}"));
        }
    }
}
