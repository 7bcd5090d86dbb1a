//! A list as one JSON object, written session by session.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use super::super::{Console, Controls, Failure, write_json};
use crate::artifact::clock::format_time;
use crate::inspect::{First, Listing, SessionRow, Status};

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
        serializer.collect_seq(self.0.rows().map(|row| object(&row)))
    }
}

fn object(row: &SessionRow) -> Value {
    let mut object = Map::new();
    let mut set = |key: &str, value: Value| {
        object.insert(key.into(), value);
    };
    let time = |time: Option<_>| time.map_or(Value::Null, |time| json!(format_time(time)));
    set("terminalId", json!(row.id.as_str()));
    let (status, error) = match &row.status {
        Status::Sound => ("ok", None),
        Status::Recording => ("recording", None),
        Status::Died => ("died", None),
        Status::Broken(reason) => ("broken", Some(reason)),
    };
    set("status", json!(status));
    if let Some(error) = error {
        set("error", json!(error));
    }
    set("createdAt", time(row.created));
    set("updatedAt", time(row.updated));
    set("bytes", json!(row.bytes));
    set("blockCount", json!(row.blocks.total()));
    let kinds = row.blocks.kinds.iter();
    let kinds = kinds.map(|(kind, count)| (kind.to_string(), json!(count)));
    set("blocks", Value::Object(kinds.collect()));
    set("unfrozen", json!(row.has_unfrozen));
    set("sessionId", json!(row.codex_session));
    match &row.first {
        Some(First::Command(command)) => set("firstCommand", json!(command)),
        Some(First::Line(line)) => set("firstLine", json!(line)),
        None => {}
    }
    Value::Object(object)
}
