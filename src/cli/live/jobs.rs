//! `jobs list`, `jobs kill`.

use clap::{Args, Subcommand};

use super::{Context, JOB_STATUS as STATUS, job_refused};
use crate::cli::{Console, Exit, Failure};
use crate::live::Runtime;
use crate::live::exec::{job_close_any, job_kill, job_list, job_list_all};

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
    List(ListJobsArgs),
    /// End a job and all that came of it; what it printed can still be read
    #[command(after_long_help = STATUS)]
    Kill(KillJobArgs),
}

#[derive(Debug, Args)]
struct ListJobsArgs {
    /// Those of all agents of this user, as TERMINAL/JOB
    #[arg(long)]
    operator: bool,
}

#[derive(Debug, Args)]
struct KillJobArgs {
    /// Job
    #[arg(value_name = "JOB")]
    job: String,

    /// Whoever of this user's agents has it; JOB is TERMINAL/JOB then. What nobody read of its output
    /// is in its block
    #[arg(long)]
    operator: bool,
}

pub(super) fn run(
    args: &JobsArgs,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    match &args.action {
        JobsAction::List(args) if args.operator => {
            let runtime = Runtime::open().map_err(Failure::failed)?;
            let list = job_list_all(&runtime).map_err(job_refused)?;
            context.print(console, &list, || list.text_of_all())?;
        }
        JobsAction::Kill(args) if args.operator => {
            let runtime = Runtime::open().map_err(Failure::failed)?;
            let closed = job_close_any(&runtime, &args.job).map_err(job_refused)?;
            context.print(console, &closed, || format!("closed job {}\n", args.job))?;
        }
        JobsAction::List(_) => {
            let list = job_list(&context.client()?).map_err(job_refused)?;
            context.print(console, &list, || list.text())?;
        }
        JobsAction::Kill(args) => {
            let killed = job_kill(&context.client()?, &args.job).map_err(job_refused)?;
            context.print(console, &killed, || killed.text())?;
        }
    }
    Ok(Exit::Done)
}
