//! No test file may be left out of `tests/main.rs`.

#[test]
fn every_test_file_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let listed = include_str!("main.rs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(module) = name.strip_suffix(".rs")
            && module != "main"
        {
            let line = format!("\nmod {module};\n");
            assert!(listed.contains(&line), "tests/{name} is not in tests/main.rs");
        }
    }
}
