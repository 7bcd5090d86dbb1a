//! A list as one JSON object, written session by session.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::super::{Console, Controls, Failure, write_json};
use crate::inspect::Listing;

/// Prints `{"total": …, "sessions": […]}`; the total counts those behind the limit too.
pub(super) fn print(listing: &Listing<'_>, console: &mut Console) -> Result<(), Failure> {
    Ok(write_json(console.out(), &Document(listing), false, Controls::Shown)?)
}

struct Document<'a>(&'a Listing<'a>);

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("total", &self.0.total())?;
        map.serialize_entry("broken", &self.0.broken())?;
        map.serialize_entry("sessions", &Sessions(self.0))?;
        map.end()
    }
}

struct Sessions<'a>(&'a Listing<'a>);

impl Serialize for Sessions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.rows().map(|row| row.json()))
    }
}
