"""Drives the MCP server with the mcp package: with_python.py PROGRAM"""

import asyncio
import os
import pathlib
import sys
import warnings

import mcp

# Notices are of older versions of the protocol, which clients in use speak.
warnings.simplefilter("ignore")

TOOLS = {
    "terminal_open", "terminal_send", "terminal_read", "terminal_signal", "terminal_close",
    "terminal_list", "task_output", "task_kill", "exec_command", "write_stdin", "job_list",
    "job_kill", "terminal_execute", "terminal_session_list", "terminal_session_summary",
    "terminal_session_blocks",
}


def check(is_so, what):
    if not is_so:
        sys.exit(f"not so: {what}")


def text(result):
    check(len(result.content) == 1, f"one text in {result}")
    return result.content[0].text


async def eventually(what, is_so):
    """Looks a few thousand times whether something is so."""
    for _ in range(3000):
        if await is_so():
            return
        await asyncio.sleep(0.02)
    sys.exit(f"still not so: {what}")


async def drive(program, mode):
    notices, signs = [], []

    async def on_notice(params):
        notices.append(params.data)

    async def on_sign(progress, total, message):
        signs.append(progress)

    server = mcp.StdioServerParameters(
        command=program, args=["mcp", "--tools", "all"], env=dict(os.environ)
    )
    async with mcp.Client(server, mode=mode, logging_callback=on_notice) as client:
        version = client.protocol_version
        check((version == "2026-07-28") == (mode == "auto"), version)
        check("Use a terminal only" in client.instructions, "there are instructions")
        tools = (await client.list_tools()).tools
        names = {tool.name for tool in tools}
        check(TOOLS <= names, f"tools are missing: {TOOLS - names}")

        async def call(tool, /, **arguments):
            return await client.call_tool(tool, arguments, progress_callback=on_sign)

        async def value(tool, /, **arguments):
            result = await call(tool, **arguments)
            check(not result.is_error, f"{tool}: {result}")
            return result.structured_content

        opened = await value("terminal_open", type="shell")
        one = opened["sessionId"]
        two = (await value("terminal_open", type="shell"))["sessionId"]
        sent = await call("terminal_send", sessionId=one, text="sleep 1.5; echo héllo; exit_with() { return 3; }; exit_with")
        check(sent.structured_content["exitCode"] == 3, sent)
        check("\nhéllo\n" in text(sent) and "[exit code: 3]" in text(sent), text(sent))
        check(signs and signs == sorted(signs), f"signs of life: {signs}")

        # A slow call keeps no other waiting.
        flag = pathlib.Path(os.environ["HOME"], f"go-{mode}")
        slow = asyncio.create_task(
            value("terminal_send", sessionId=one, text=f"until [ -e {flag} ]; do sleep 0.02; done")
        )
        quick = await asyncio.gather(
            *(value("terminal_read", sessionId=two, count=1) for _ in range(20))
        )
        check(len(quick) == 20 and not slow.done(), "twenty others are done")
        flag.touch()
        check((await slow)["waitReason"] == "prompt", "the slow one is done")

        # What is left out is where the answer says.
        long = await value("terminal_send", sessionId=two, text="seq 1 100000")
        where = long["omitted"][0]
        blocks = [f"{where['blockId']}@{where['to'] - 1}:{where['to']}"]
        rest = await value("terminal_session_blocks", terminal=two, blocks=blocks, no_squeeze=True)
        last = rest["blocks"][0]["text"].split("\n")[-1]
        check(int(last) + 1 == int(long["viewport"].split("\n")[0]), "one follows the other")

        # Whoever asks for nothing is told of an end once, where the protocol has notices.
        task = await value("terminal_send", sessionId=two, text="echo bg", run_in_background=True)

        async def is_idle():
            sessions = (await value("terminal_list"))["sessions"]
            return not any(session.get("inside") for session in sessions)

        async def is_told():
            return bool(notices)

        await eventually("nothing runs", is_idle)
        if mode == "legacy":
            await eventually("there is a notice", is_told)
            check(task["taskId"] in notices[0], notices)
        output = await value("task_output", task_id=task["taskId"], wait=True)
        check(output["status"]["kind"] == "completed", output)

        done = await value("terminal_execute", command="exit 0 | cat; echo done")
        check((done["status"], done["exit_code"]) == ("completed", 0), done)
        page = await value("exec_command", cmd="seq 1 3000", max_output_tokens=500)
        pages = page["output"]
        # A page is empty only while nothing is printed.
        for _ in range(1000):
            if "job_id" not in page:
                break
            page = await value("write_stdin", job_id=page["job_id"], max_output_tokens=500)
            pages += page["output"]
        check("job_id" not in page, "pages come to an end")
        check(pages == "".join(f"{number}\n" for number in range(1, 3001)), "pages make up all")
        listed = await value("terminal_session_list")
        check(listed["total"] >= 2, listed)

        wrong = await call("terminal_send", sessionId=one, text="x", keys="C-c")
        check(wrong.is_error, wrong)
        check(text(wrong) == 'Error: invalid arguments: unknown property "keys"', text(wrong))
        wrong = await call("terminal_read", sessionId="terminal-000000000000")
        check(text(wrong) == "Error: unknown PTY session terminal-000000000000", text(wrong))
        await value("terminal_close", sessionId=one)
    agents = pathlib.Path(os.environ["TERMINAL_SESSION_RUNTIME_DIR"], "agents")
    left = [path for path in agents.glob("*/*")]
    check(not left, f"left behind: {left}")
    print(f"mcp package, {mode}, protocol {version}: fine")


for mode in ("auto", "legacy"):
    asyncio.run(drive(sys.argv[1], mode))
