//! `jobs list`, `jobs kill`.

use clap::{Args, Subcommand};

use super::{Context, STATUS, job_refused};
use crate::cli::{Console, Exit, Failure};
use crate::live::exec::{job_kill, job_list};

/// List and end jobs
#[derive(Debug, Args)]
pub(super) struct JobsArgs {
    #[command(subcommand)]
    action: JobsAction,
}

#[derive(Debug, Subcommand)]
enum JobsAction {
    /// List this agent's jobs, those of the last hour too
    #[command(after_long_help = STATUS)]
    List,
    /// End a job and all that came of it; what it printed can still be read
    #[command(after_long_help = STATUS)]
    Kill(KillJobArgs),
}

#[derive(Debug, Args)]
struct KillJobArgs {
    /// Job
    #[arg(value_name = "JOB")]
    job: String,
}

pub(super) fn run(
    args: &JobsArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let client = context.client()?;
    match &args.action {
        JobsAction::List => {
            let list = job_list(&client).map_err(job_refused)?;
            context.print(console, &list, || list.text())?;
        }
        JobsAction::Kill(args) => {
            let killed = job_kill(&client, &args.job).map_err(job_refused)?;
            context.print(console, &killed, || killed.text())?;
        }
    }
    Ok(Exit::Done)
}
