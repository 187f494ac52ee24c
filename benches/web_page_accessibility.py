"""Writes roles and names of the kept pages of the web environment as Chromium's accessibility tree has them.

    python3 benches/web_page_accessibility.py [CHROMIUM]

It needs Python's standard library and Chromium only, opens each page of src/envs/web/tests/page/ and writes
accessibility.json there: for each page a list of [path, role, name], the path like that of the program's own script.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PAGES = Path(__file__).resolve().parent.parent / "src/envs/web/tests/page"
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "about:blank",
]


class Browser:
    """Chromium by its debugging pipe."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp()
        theirs_in, self.output = os.pipe()
        self.input, theirs_out = os.pipe()
        redirect = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
        command = ["bash", "-c", redirect, "x", program, f"--user-data-dir={self.folder}", *FLAGS]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(command, pass_fds=(theirs_in, theirs_out), stdout=quiet, stderr=quiet)
        os.close(theirs_in)
        os.close(theirs_out)
        self.calls = 0
        self.events = []
        self.unread = b""

    def call(self, method, session=None, **params):
        self.calls += 1
        message = {"id": self.calls, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data) :]
        while True:
            answer = self.read()
            if answer.get("id") != self.calls:
                self.events.append(answer.get("method"))
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def read(self):
        while b"\0" not in self.unread:
            part = os.read(self.input, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.unread += part
        message, self.unread = self.unread.split(b"\0", 1)
        return json.loads(message)

    def close(self):
        try:
            self.call("Browser.close")
        except EOFError:
            pass
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)


def paths(node, above, found):
    """The path of each element by its number in the browser."""
    counts = {}
    for child in node.get("children", []):
        if child["nodeType"] != 1:
            continue
        name = child["localName"]
        counts[name] = counts.get(name, 0) + 1
        shown = f"*[name()='{child['nodeName']}']" if child.get("isSVG") else name
        root = above == "" and node["nodeType"] == 9
        path = f"{above}/{shown}" if root else f"{above}/{shown}[{counts[name]}]"
        found[child["backendNodeId"]] = path
        paths(child, path, found)
        for shadow in child.get("shadowRoots", []):
            # The parts of fields that the browser draws are not elements of the page.
            if shadow["shadowRootType"] != "user-agent":
                paths(shadow, "", found)
        if "contentDocument" in child:
            paths(child["contentDocument"], "", found)


def accessibility(browser, session, address):
    browser.events.clear()
    browser.call("Page.navigate", session, url=address)
    while "Page.loadEventFired" not in browser.events:
        browser.events.append(browser.read().get("method"))
    found = {}
    paths(browser.call("DOM.getDocument", session, depth=-1, pierce=True)["root"], "", found)
    tree = browser.call("Page.getFrameTree", session)["frameTree"]
    frames = [tree]
    nodes = []
    while frames:
        frame = frames.pop(0)
        frames.extend(frame.get("childFrames", []))
        answer = browser.call("Accessibility.getFullAXTree", session, frameId=frame["frame"]["id"])
        nodes.extend(answer["nodes"])
    rows = []
    for node in nodes:
        path = found.get(node.get("backendDOMNodeId"))
        if path and not node["ignored"]:
            rows.append([path, node["role"]["value"], node.get("name", {}).get("value", "")])
    return rows


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "chromium"
    browser = Browser(program)
    try:
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "DOM", "Accessibility"]:
            browser.call(f"{domain}.enable", session)
        size = {"width": 1080, "height": 720, "deviceScaleFactor": 1, "mobile": False}
        browser.call("Emulation.setDeviceMetricsOverride", session, **size)
        files = sorted(PAGES.glob("*.html"))
        pages = {file.stem: accessibility(browser, session, file.as_uri()) for file in files}
    finally:
        browser.close()
    lines = [f"{json.dumps(name)}: [\n" + ",\n".join(map(json.dumps, rows)) + "]" for name, rows in pages.items()]
    (PAGES / "accessibility.json").write_text("{" + ",\n".join(lines) + "}\n")


if __name__ == "__main__":
    main()
