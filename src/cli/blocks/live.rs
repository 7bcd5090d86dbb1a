//! What a recorder has shown and not yet frozen.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::super::{Console, Failure};
use crate::artifact::Manifest;
use crate::inspect::{BlockView, Content, LineRange, Selected, ViewOptions};
use crate::record::{Dropped, find_journals};
use crate::screen::Screen;
use crate::snapshot::serialize;

/// The newest journal of a session. It only looks: a recorder goes on undisturbed.
pub(super) struct Live {
    /// A manifest of nothing but a block with the facts of the screen.
    stand_in: Manifest,
    screen: Screen,
    journal: PathBuf,
    pub(super) dropped: Dropped,
}

impl Live {
    /// Reads the newest journal, none where there is none. Others are named on stderr.
    pub(super) fn read(folder: &Path, console: &mut Console) -> Result<Option<Self>, Failure> {
        let mut journals = find_journals(folder).map_err(Failure::failed)?;
        let Some(newest) = journals.pop() else {
            return Ok(None);
        };
        for older in &journals {
            let path = older.path();
            console.note(&format!("live is the newest journal; another one is {}", path.display()));
        }
        let replayed = newest.replay().map_err(Failure::failed)?;
        let Dropped { events, bytes } = replayed.dropped;
        if !replayed.dropped.is_nothing() {
            console.note(&format!(
                "live lacks {bytes} bytes of output ({events} events), which its journal had no \
                 room for"
            ));
        }
        let size = replayed.screen.size();
        let block = json!({"type": "terminal_snapshot", "cols": size.cols, "rows": size.rows});
        let manifest = json!({"blocks": [block]}).to_string();
        let stand_in = Manifest::parse(folder.to_path_buf(), manifest.into_bytes());
        Ok(Some(Self {
            stand_in: stand_in.map_err(Failure::failed)?,
            screen: replayed.screen,
            journal: newest.path(),
            dropped: replayed.dropped,
        }))
    }

    /// What stands in for a block that was selected.
    pub(super) fn selected(&self, range: Option<LineRange>) -> Result<Selected<'_>, Failure> {
        // There is one: it was written above.
        let block = self.stand_in.block(1);
        let block = block.ok_or_else(|| Failure::failed("the journal cannot be shown"))?;
        Ok(Selected { block, label: "live".to_owned(), range })
    }

    /// Its lines, chosen as those of a block are.
    pub(super) fn view(&self, range: Option<LineRange>, options: &ViewOptions) -> BlockView {
        let rendering = options.text_rendering();
        let content = Content::of_screen(&self.screen, self.journal.clone(), rendering);
        BlockView::of(content, range, options)
    }

    /// What it shows, and the file that this was drawn from.
    pub(super) fn screen(&self) -> (&Screen, &Path) {
        (&self.screen, &self.journal)
    }

    /// What a freeze would store now.
    pub(super) fn snapshot(&self) -> String {
        serialize(&self.screen)
    }
}
