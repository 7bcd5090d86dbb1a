"""Drives the MCP server with the inspector's command line: with_inspector.py PROGRAM"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
INSPECTOR = HERE / "node_modules/.bin/mcp-inspector"


def check(is_so, what):
    if not is_so:
        sys.exit(f"not so: {what}")


def inspect(config, *arguments):
    command = [INSPECTOR, "--cli", "--config", config, "--server", "terminals", *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300
    )
    check(done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def call(config, tool, **arguments):
    words = [word for name, value in arguments.items() for word in ("--tool-arg", f"{name}={value}")]
    return inspect(config, "--method", "tools/call", "--tool-name", tool, *words)


with tempfile.TemporaryDirectory() as folder:
    config = pathlib.Path(folder, "mcp.json")
    names = ["HOME", "CODEX_HOME", "TERMINAL_SESSION_RUNTIME_DIR", "SHELL", "LC_ALL"]
    server = {
        "command": sys.argv[1],
        "args": ["mcp", "--tools", "all"],
        "env": {name: os.environ[name] for name in names},
    }
    config.write_text(json.dumps({"mcpServers": {"terminals": server}}))

    tools = inspect(config, "--method", "tools/list")["tools"]
    schemas = {tool["name"]: tool["inputSchema"] for tool in tools}
    check(set(schemas["terminal_send"]["required"]) == {"sessionId", "text"}, schemas)
    check(all(schema["additionalProperties"] is False for schema in schemas.values()), schemas)

    opened = call(config, "terminal_open", type="shell", name="from outside")
    check(opened["content"][0]["text"].startswith("started terminal session terminal-"), opened)
    one = opened["structuredContent"]["sessionId"]
    # Its connection is over, and so is the terminal.
    listed = call(config, "terminal_list")
    check(listed["structuredContent"] == {"sessions": []}, listed)
    done = call(config, "terminal_execute", command="echo inspected; false")
    check(done["structuredContent"]["exit_code"] == 1, done)
    known = done["structuredContent"]["session_id"]
    shown = call(config, "terminal_session_summary", terminal=known)["structuredContent"]
    check("inspected" in shown["blocks"][0]["snapshotPreview"], shown)
    wrong = call(config, "terminal_read", sessionId=one)
    check(wrong["isError"] and wrong["content"][0]["text"].endswith(one), wrong)
    agents = pathlib.Path(os.environ["TERMINAL_SESSION_RUNTIME_DIR"], "agents")
    check(not list(agents.glob("*/*")), "nothing is left behind")
print("inspector: fine")
