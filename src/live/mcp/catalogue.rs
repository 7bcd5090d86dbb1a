//! All tools.

use super::group::Group;
use super::tool::ToolSpec;
use super::{exec_tools, execute_tools, inspect_tools, task_tools, terminal_tools};

/// The tools of these groups, in one order.
pub(super) fn tools(groups: &[Group]) -> Vec<&'static ToolSpec> {
    let all = [
        terminal_tools::TOOLS,
        task_tools::TOOLS,
        exec_tools::TOOLS,
        execute_tools::TOOLS,
        inspect_tools::TOOLS,
    ];
    all.into_iter().flatten().filter(|tool| groups.contains(&tool.group)).collect()
}
