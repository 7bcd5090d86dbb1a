//! What a check can find.

use std::fmt;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Never counts.
    Note,
    /// Counts when asked for.
    Warning,
    /// Counts.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// The one table of codes: the help, the manual page and the README print from it.
macro_rules! codes {
    ($($variant:ident $name:literal $severity:ident $about:literal)*) => {
        /// The rule that a finding is about. Names and meanings are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $about] $variant,)*
        }

        impl Code {
            /// All of them, in the order in which a session is checked.
            pub const fn all() -> &'static [Self] {
                &[$(Self::$variant,)*]
            }

            /// The name that is printed and asked for.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How much it matters.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// What is wrong, in one line.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => $about,)* }
            }
        }
    };
}

codes! {
    ManifestMissing "manifest-missing" Error
        "there is no session.json, and nothing is being recorded"
    ManifestFile "manifest-file" Error
        "session.json is no regular file, too large, unreadable, or outside"
    ManifestJson "manifest-json" Error
        "the manifest is not strict JSON in UTF-8"
    ManifestShape "manifest-shape" Error
        "the manifest or a block is no object, or blocks is no array"
    ManifestLayout "manifest-layout" Note
        "the manifest is not laid out with two blanks a level"
    TerminalId "terminal-id" Error
        "a terminalId is not the name of the folder"
    Time "time" Error
        "a time is not RFC 3339 in UTC with milliseconds and Z"
    TimeOrder "time-order" Warning
        "updated before it was created, or after its session was"
    KeyMissing "key-missing" Error
        "a key that every record has is not there"
    KeyType "key-type" Error
        "a value has the wrong type"
    KeyEmpty "key-empty" Error
        "a value is null or blank where this type of block needs one"
    KeyMisplaced "key-misplaced" Warning
        "a value is given where this type of block has null"
    EnumValue "enum-value" Error
        "a word is none of those that the format knows"
    ExtraValue "extra-value" Warning
        "an optional key of a recorder has a value that makes no sense"
    BlockIdForm "block-id-form" Note
        "a block id is not of the form block-TIME-RANDOM"
    BlockIdRepeated "block-id-repeated" Error
        "two blocks have the same id"
    Sequence "sequence" Error
        "a sequence is not a whole number from 1 up"
    SequenceRepeated "sequence-repeated" Warning
        "two blocks have the same sequence"
    BlockOrder "block-order" Error
        "blocks are not sorted by sequence, creation time and id"
    MessageKeyRepeated "message-key-repeated" Warning
        "two blocks are one message, which is to be updated in place"
    StepRepeated "step-repeated" Warning
        "a plan has two steps of an id, or two answers of a kind to one"
    StepUnknown "step-unknown" Warning
        "an answer or a snapshot names a step that no plan has"
    RejectionHalf "rejection-half" Warning
        "a step's rejection is an action without feedback, or the reverse"
    SnapshotPath "snapshot-path" Warning
        "a snapshot is not where its id says: blocks/ID.snapshot"
    SnapshotOutside "snapshot-outside" Error
        "a snapshotPath leads out of the session's folder"
    SnapshotMissing "snapshot-missing" Error
        "the file of a snapshot is not there"
    SnapshotFile "snapshot-file" Error
        "the snapshot is no regular file, too large or unreadable"
    SnapshotUtf8 "snapshot-utf8" Error
        "the snapshot is not UTF-8"
    SnapshotLength "snapshot-length" Error
        "snapshotLength is not the length of the data in UTF-16 code units"
    SnapshotSize "snapshot-size" Error
        "cols or rows is not a whole number from 1 to 65,535"
    SnapshotSequence "snapshot-sequence" Error
        "the snapshot holds what the format cannot hold"
    SnapshotReplay "snapshot-replay" Error
        "the snapshot stands for too much to be replayed at its size"
    SnapshotRoundTrip "snapshot-round-trip" Note
        "it serializes to something else, as some of xterm.js's own do"
    Orphan "orphan" Warning
        "a file in blocks/ that no block names"
    JournalLeft "journal-left" Warning
        "a journal whose recorder is gone; recover makes a block of it"
    TemporaryLeft "temporary-left" Warning
        "a temporary file of a writer that is gone"
    UnexpectedFile "unexpected-file" Note
        "something that is no part of a session"
    Permissions "permissions" Warning
        "others than the owner have access, or not even the owner"
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_words_and_none_is_used_twice() {
        let mut names: Vec<_> = Code::all().iter().map(|code| code.name()).collect();
        for name in &names {
            assert!(
                name.len() <= 24
                    && name
                        .bytes()
                        .all(|b| b == b'-' || b.is_ascii_lowercase() || b.is_ascii_digit())
            );
        }
        // A longer line would be folded in the help.
        assert!(Code::all().iter().all(|code| code.about().len() <= 66));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::all().len());
    }
}
