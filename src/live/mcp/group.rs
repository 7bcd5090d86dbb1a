//! Tools that come together.

use std::str::FromStr;

/// One vocabulary of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// `terminal_*` and `task_*`.
    Terminal,
    /// `exec_command`, `write_stdin` and `job_*`.
    Exec,
    /// `terminal_execute`.
    Execute,
    /// What was recorded, read only.
    Inspect,
}

impl Group {
    /// All of them, in the order of their tools.
    pub const ALL: [Self; 4] = [Self::Terminal, Self::Exec, Self::Execute, Self::Inspect];

    /// Those that are offered where none are named. More than one vocabulary for the same work
    /// confuses models.
    pub const USUAL: [Self; 2] = [Self::Terminal, Self::Inspect];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Exec => "exec",
            Self::Execute => "execute",
            Self::Inspect => "inspect",
        }
    }

    /// The groups of a list with commas, each once and in the order of [`Self::ALL`].
    ///
    /// # Errors
    /// A sentence that names the word which is none.
    pub fn list(given: &str) -> Result<Vec<Self>, String> {
        if given == "all" {
            return Ok(Self::ALL.to_vec());
        }
        let named: Vec<Self> = given.split(',').map(str::parse).collect::<Result<_, _>>()?;
        Ok(Self::ALL.into_iter().filter(|group| named.contains(group)).collect())
    }
}

impl FromStr for Group {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|group| group.name() == given.trim());
        known.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("unknown tools {given:?} ({names} or all)")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_one_order_and_name_what_is_wrong() {
        let all = Group::ALL.to_vec();
        assert_eq!(Group::list("all"), Ok(all.clone()));
        assert_eq!(Group::list("inspect, execute,exec,terminal,inspect"), Ok(all));
        assert_eq!(Group::list("inspect"), Ok(vec![Group::Inspect]));
        assert!(Group::list("terminal,no").unwrap_err().starts_with("unknown tools \"no\" (term"));
        assert!(Group::list("").is_err());
    }
}
