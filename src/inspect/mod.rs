//! Answers about sessions: which there are, the flow of one, any lines of any block, and matches.
//!
//! Uses `artifact` for what is stored, `snapshot` for its text and `protocol` for what a frozen
//! message left out. Knows nothing of arguments, colours or where its answers go.

mod block_view;
mod budget;
mod content;
mod cut;
mod line_range;
mod list;
mod search;
mod selector;
mod summary;

pub use block_view::{BlockView, Lines, Omission, ViewOptions};
pub use budget::{SummaryBudget, fit_summary};
pub use content::{Content, ContentError, Rendering, Source};
pub use cut::{Cut, Rest, cut};
pub use line_range::{LineRange, RangeError};
pub use list::{BlockCounts, First, ListOptions, Listing, SessionRow, SortBy, Status, Unfrozen};
pub use search::{Context, Hit, Line, Pattern, PatternError, Search, Window};
pub use selector::{EmptySelector, Extras, Selected, Selector, SelectorError, UnknownBlock};
pub use summary::{SummaryOptions, summary};
