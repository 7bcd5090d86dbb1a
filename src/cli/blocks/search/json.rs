//! Matches as one JSON object, written as they are found.

use std::cell::RefCell;

use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::{Map, Value, json};

use super::super::super::{Console, Controls, Failure, write_json};
use super::super::arguments::Config;
use super::{Event, Found, Run, Shown};

/// Prints `{"lines": […]}`, and `errors` where something could not be searched.
pub(super) fn print(
    run: &Run<'_>,
    config: &Config,
    console: &mut Console,
) -> Result<Found, Failure> {
    let document = Document { run, config, outcome: RefCell::default() };
    write_json(console.out(), &document, false, Controls::Shown)?;
    let (found, problems) = document.outcome.into_inner();
    for problem in &problems {
        console.error(problem);
    }
    Ok(found)
}

struct Document<'a> {
    run: &'a Run<'a>,
    config: &'a Config,
    outcome: RefCell<(Found, Vec<String>)>,
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("lines", &Lines(self))?;
        let outcome = self.outcome.borrow();
        if !outcome.1.is_empty() {
            map.serialize_entry("errors", &outcome.1)?;
        }
        map.end()
    }
}

struct Lines<'a>(&'a Document<'a>);

impl Serialize for Lines<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Document { run, config, outcome } = self.0;
        let mut sequence = serializer.serialize_seq(None)?;
        let mut failure = None;
        let result = run(&mut |event| {
            let mut outcome = outcome.borrow_mut();
            match event {
                Event::Shown(shown) => {
                    outcome.0.matches |= shown.match_at.is_some();
                    let object = object(&shown, config);
                    sequence.serialize_element(&object).map_err(|error| {
                        failure = Some(error);
                        std::io::ErrorKind::Other.into()
                    })
                }
                Event::Gap => Ok(()),
                Event::Problem(problem) => {
                    outcome.0.problems = true;
                    outcome.1.push(problem);
                    Ok(())
                }
            }
        });
        match (failure, result) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => Err(S::Error::custom(error)),
            (None, Ok(())) => sequence.end(),
        }
    }
}

fn object(shown: &Shown<'_>, config: &Config) -> Value {
    let block = &shown.chosen.selected.block;
    let is_live = shown.chosen.live.is_some();
    let mut object = Map::new();
    let mut set = |key: &str, value: Value| {
        object.insert(key.into(), value);
    };
    set("terminalId", json!(shown.session.id.as_str()));
    set("blockId", block.id().map_or(Value::Null, Value::String));
    set("index", if is_live { Value::Null } else { json!(block.index()) });
    set("selector", json!(shown.place()));
    set("line", json!(shown.line.number));
    if let Some(at) = shown.match_at {
        set("match", json!(true));
        let before = shown.line.text.get(..at).unwrap_or("");
        set("column", json!(shown.line.skip + before.chars().count() + 1));
    } else {
        set("match", json!(false));
    }
    set("text", json!(shown.window.shown));
    let cuts = shown.cuts(config);
    if !cuts.is_empty() {
        let sides = cuts
            .into_iter()
            .map(|cut| (cut.side.to_owned(), json!({"chars": cut.chars, "command": cut.command})));
        set("cut", Value::Object(sides.collect()));
    }
    Value::Object(object)
}
