#!/usr/bin/env python3
"""Opens rendered blocks in headless Chromium and measures where their text is.

    check.py BLOCKS [--screenshots FOLDER]

BLOCKS is the terminal-session-blocks to check. What is measured is a copy of the page with a script
in it; the page itself refuses scripts, which is checked too. Needs Chromium and a font with wide
characters (chromium, fonts-noto-cjk).
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

COLS = 80
# Each row is a list of pieces: SGR parameters, and cells as (text, columns).
ROWS = [
    [("", [*"ab", ("桃", 2), *"cd", "│", "e\u0301", "ｶ", ("林", 2), ("檎", 2), "x"])],
    [("42", [("不", 2), ("可", 2)]), ("", [*" end"]), ("1;31", [*"bold", ("紅", 2)]), ("", ["|"])],
    [("", [*("0123456789" * 8)])],
    [("7", [*"inverse ", ("수", 2), ("확", 2)]), ("38;5;208;4", [*"orange", ("ふ", 2), "–"])],
    [("", ["┌", "─", "─", "┐", *"<&>", ("　", 2), *"|"])],
]
# What the green block and the red text are in light and in dark.
GREEN = {"light": "rgb(108, 192, 127)", "dark": "rgb(69, 154, 85)"}
RED = {"light": "rgb(209, 54, 42)", "dark": "rgb(240, 128, 120)"}
SCHEME = {"dark": 0, "light": 1}
SLACK = 0.6

HTML_SCRIPT = """
const pre = document.querySelector('pre.screen');
FONT && (pre.style.fontFamily = FONT);
const left = pre.getBoundingClientRect().left + parseFloat(getComputedStyle(pre).paddingLeft)
  + parseFloat(getComputedStyle(pre).borderLeftWidth);
const marks = /^\\p{M}$/u;
const cells = [];
let row = 0;
const walk = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const node = walk.currentNode, box = node.parentElement.closest('i,b');
  for (let at = 0; at < node.data.length;) {
    let end = at + String.fromCodePoint(node.data.codePointAt(at)).length;
    while (end < node.data.length && marks.test(node.data[end])) end += 1;
    const text = node.data.slice(at, end), range = document.createRange();
    range.setStart(node, at); range.setEnd(node, end); at = end;
    if (text === '\\n') { row += 1; continue; }
    const rect = (box || range).getBoundingClientRect();
    cells.push({row, text, left: rect.left - left, right: rect.right - left, top: rect.top});
  }
}
getSelection().selectAllChildren(pre);
const style = (query) => getComputedStyle(document.querySelector(query));
const green = document.querySelector('.g2').getBoundingClientRect();
const found = {cells, copied: getSelection().toString(), green: style('.g2').backgroundColor,
  red: style('.f9').color, block: [green.left - left, green.right - left, green.height],
  line: parseFloat(getComputedStyle(pre).lineHeight)};
"""

SVG_SCRIPT = """
const cells = [];
const marks = /^\\p{M}$/u;
FONT && document.querySelectorAll('text').forEach((text) => (text.style.fontFamily = FONT));
for (const text of document.querySelectorAll('svg text')) {
  const data = text.textContent;
  for (let at = 0; at < data.length;) {
    let end = at + String.fromCodePoint(data.codePointAt(at)).length;
    while (end < data.length && marks.test(data[end])) end += 1;
    const first = text.getExtentOfChar(at), y = +text.getAttribute('y');
    cells.push({row: (y - 23) / 17, text: data.slice(at, end), left: first.x - 10,
      right: first.x + first.width - 10, top: y});
    at = end;
  }
}
const style = (query) => getComputedStyle(document.querySelector(query));
const rect = document.querySelector('rect.g2').getBBox();
const found = {cells, green: style('rect.g2').fill, red: style('.f9').fill,
  block: [rect.x - 10, rect.x + rect.width - 10, rect.height], line: 17};
"""

REPORT = """
const out = document.createElement('div');
out.id = 'found'; out.textContent = JSON.stringify(found);
document.body.append(out);
"""

CSP = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
problems = []


def expect(holds, message):
    if not holds:
        problems.append(message)


def want_cells():
    """Row, text, column and columns of each cell."""
    for row, pieces in enumerate(ROWS):
        column = 0
        for _, cells in pieces:
            for cell in cells:
                text, columns = cell if isinstance(cell, tuple) else (cell, 1)
                yield row, text, column, columns
                column += columns


def make_home(folder):
    """A session `t` with the rows above as its only block."""
    session = os.path.join(folder, "codex-deck/terminal/sessions/t")
    os.makedirs(session)
    lines = []
    for pieces in ROWS:
        line = ""
        for style, cells in pieces:
            text = "".join(cell[0] if isinstance(cell, tuple) else cell for cell in cells)
            line += f"\x1b[{style}m{text}\x1b[0m" if style else text
        lines.append(line)
    with open(os.path.join(session, "screen"), "w", encoding="utf-8") as file:
        file.write("\r\n".join(lines))
    block = {"type": "terminal_snapshot", "snapshotPath": "screen", "cols": COLS, "rows": 24}
    with open(os.path.join(session, "session.json"), "w", encoding="utf-8") as file:
        json.dump({"blocks": [block]}, file)


def chromium(page, scheme, *args):
    """Runs Chromium on a file in a profile of its own."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        sys.exit("error: there is no chromium")
    with tempfile.TemporaryDirectory() as profile:
        command = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            f"--user-data-dir={profile}", f"--blink-settings=preferredColorScheme={SCHEME[scheme]}",
            *args, f"file://{page}",
        ]
        return subprocess.run(command, check=True, capture_output=True, timeout=120).stdout.decode()


def found_in(dom):
    """What the script of a page reported, None where it did not run."""
    found = re.search(r'<div id="found">(.*?)</div>', dom, re.S)
    if not found:
        return None
    text = found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return json.loads(text)


def measure(folder, document, script, font, scheme):
    """What a script says of a copy of a document."""
    page = os.path.join(folder, "measured.html")
    script = f"<script>const FONT = {json.dumps(font)};{script}{REPORT}</script>"
    with open(page, "w", encoding="utf-8") as file:
        if document.startswith("<svg"):
            file.write(f'<!DOCTYPE html><meta charset="utf-8"><body>{document}{script}</body>')
        else:
            file.write(CSP.sub("", document).replace("</body>", script + "</body>"))
    found = found_in(chromium(page, scheme, "--dump-dom"))
    if found is None:
        # Nothing can be compared; what was wrong before that is said as well.
        problems.append("the script of the copy did not run")
        sys.exit("\n".join(problems))
    return found


def compare(name, found, cell, scheme):
    """Compares what was measured with the rows; `cell` is the width of a cell in pixels."""
    places = {}
    for c in found["cells"]:
        places.setdefault((c["row"], c["text"]), []).append((c["left"], c["right"]))
    count = 0
    for row, text, column, columns in want_cells():
        # Blanks where nothing shows are not in a picture.
        if not text.strip():
            continue
        left, right = column * cell, (column + columns) * cell
        near = [
            place for place in places.get((row, text), [])
            if abs(place[0] - left) <= SLACK and abs(place[1] - right) <= SLACK
        ]
        expect(near, f"{name}: {text!r} of row {row} is not at {left:.1f} to {right:.1f}: "
                     f"{places.get((row, text))}")
        count += 1
    tops = {}
    for entry in found["cells"]:
        tops.setdefault(entry["row"], []).append(entry["top"])
    height = found["line"]
    first = min(tops[0])
    for row, values in tops.items():
        expect(max(abs(top - first - row * height) for top in values) <= 4,
               f"{name}: row {row} is not at its place: {sorted(set(values))}")
    left, right, block_height = found["block"]
    expect(abs(left) <= SLACK and abs(right - 4 * cell) <= SLACK,
           f"{name}: the green block is at {left} to {right}")
    expect(abs(block_height - height) <= SLACK, f"{name}: its height is {block_height}")
    expect(found["green"] == GREEN[scheme], f"{name}: green is {found['green']}")
    expect(found["red"] == RED[scheme], f"{name}: red is {found['red']}")
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("blocks")
    parser.add_argument("--screenshots", metavar="FOLDER")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        make_home(folder)

        def render(how):
            command = [os.path.abspath(args.blocks), "t", "1", "--render", how]
            command += ["--codex-home", folder]
            return subprocess.run(command, check=True, capture_output=True).stdout.decode()

        documents = {"html": render("html"), "svg": render("svg")}
        count = 0
        for scheme in ("light", "dark"):
            for font in ("", "Noto Sans Mono CJK JP"):
                found = measure(folder, documents["html"], HTML_SCRIPT, font, scheme)
                digits = [c for c in found["cells"] if c["row"] == 2]
                cell = (digits[-1]["right"] - digits[0]["left"]) / COLS
                count += compare(f"html {scheme} {font}", found, cell, scheme)
                text = "\n".join(
                    "".join(cell[0] if isinstance(cell, tuple) else cell
                            for _, cells in pieces for cell in cells)
                    for pieces in ROWS
                )
                copied = found["copied"].rstrip("\n")
                expect(copied == text, f"html {scheme}: copied is {copied!r}")
                found = measure(folder, documents["svg"], SVG_SCRIPT, font, scheme)
                count += compare(f"svg {scheme} {font}", found, 8, scheme)
        page = os.path.join(folder, "page.html")
        with open(page, "w", encoding="utf-8") as file:
            script = f"<script>const found = 1;{REPORT}</script></body>"
            file.write(documents["html"].replace("</body>", script))
        expect(found_in(chromium(page, "light", "--dump-dom")) is None, "the page runs scripts")
        if args.screenshots:
            os.makedirs(args.screenshots, exist_ok=True)
            for how, document in documents.items():
                page = os.path.join(folder, f"page.{how}")
                with open(page, "w", encoding="utf-8") as file:
                    file.write(document)
                target = os.path.abspath(os.path.join(args.screenshots, f"{how}.png"))
                chromium(page, "light", "--window-size=760,460", f"--screenshot={target}")
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    print(f"browser: {count} cells measured, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
