#!/usr/bin/env python3
"""Compare the snapshot of a page with what Selenium reads from the same page, element by element.

Optional, not part of the tests: it needs Selenium and chromedriver.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install selenium==4.51.0
    apt-get install chromium chromium-driver
    /tmp/venv/bin/python benches/webui_selenium.py random --seeds 0:300
    /tmp/venv/bin/python benches/webui_selenium.py pages DIR...   # html files
    /tmp/venv/bin/python benches/webui_selenium.py fixture tests/chromium/data/selenium.json

Compared for every element below the body: is_displayed, text, rect, class, number of descendants,
and with --styles each computed property. `random` shrinks a page that differs. `fixture` takes the
pages of a fixture and writes Selenium's answers beside them, for the test that has no Selenium.
"""

import argparse
import copy
import json
import pathlib
import pkgutil
import random
import re
import sys
import tempfile

import selenium
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

ROOT = pathlib.Path(__file__).resolve().parent.parent
PIECES = ROOT / "src/envs/webui/snapshot/script.rs"
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en-US",
         "--force-device-scale-factor=1", "--window-size=1920,1080", "--allow-file-access-from-files"]

# Elements without an id get one, so that both readings can be joined.
LIST = """
const all = [...Document.prototype.querySelectorAll.call(document, 'body *')];
all.forEach((e, i) => { if (!Element.prototype.getAttribute.call(e, 'id')) Element.prototype.setAttribute.call(e, 'id', 'n' + i); });
return all;
"""
DISPLAYED = pkgutil.get_data("selenium.webdriver.remote", "isDisplayed.js").decode("utf-8")
SHOWN = f"return arguments[0].map((e) => ({DISPLAYED}).apply(null, [e]));"


def snapshot_script():
    """The script as the program joins it."""
    names = re.findall(r'include_str!\("(.*?)"\)', PIECES.read_text(encoding="utf-8"))
    pieces = [(PIECES.parent / name).read_text(encoding="utf-8") for name in names]
    return "(function () {\n'use strict';\n" + "".join(pieces) + "})()"


def browser():
    options = webdriver.ChromeOptions()
    for flag in FLAGS:
        options.add_argument(flag)
    options.binary_location = "/usr/bin/chromium"
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


class Bench:
    """One browser and one file that each page is written to in turn."""

    def __init__(self, styles):
        self.driver = browser()
        self.driver.set_script_timeout(20)
        self.folder = tempfile.TemporaryDirectory(prefix="webui-")
        self.pages = 0
        self.styles = styles
        self.elements = 0

    def load(self, html):
        self.pages += 1
        file = pathlib.Path(self.folder.name) / f"{self.pages}.html"
        file.write_text(html, encoding="utf-8")
        self.driver.get(file.as_uri())

    def snapshot(self):
        return json.loads(self.driver.execute_script(f"return {snapshot_script()}"))

    def selenium(self, properties):
        """What Selenium says: a list of elements that are shown, in document order."""
        elements = self.driver.execute_script(LIST)
        displayed = self.driver.execute_script(SHOWN, elements) if elements else []
        assert len(elements) == 0 or displayed[0] == elements[0].is_displayed()
        self.elements += len(elements)
        found = []
        for element, shown in zip(elements, displayed):
            if not shown:
                continue
            rect = element.rect
            fact = {"id": element.get_dom_attribute("id"), "x": rect["x"], "y": rect["y"], "w": rect["width"],
                    "h": rect["height"], "text": element.text, "class": element.get_attribute("class") or ""}
            if properties:
                fact["styles"] = [element.value_of_css_property(name) for name in properties]
            found.append(fact)
        return found

    def differences(self, html):
        self.load(html)
        self.driver.execute_script(LIST)
        ours = self.snapshot()
        properties = ours["properties"] if self.styles else None
        return compare(self.selenium(properties), ours, properties)


def compare(theirs, ours, properties):
    shown = [e for e in ours["elements"] if e.get("shown", True)]
    left, right = [e["id"] for e in theirs], [e["id"] for e in shown]
    if left != right:
        only = [f"selenium only: {i}" for i in left if i not in right] + [f"ours only: {i}" for i in right if i not in left]
        return [f"shown: {'; '.join(only) or 'other order'}"]
    problems = []
    for a, b in zip(theirs, shown):
        b["display"] = ours["properties"].index("display")
        for key in ("x", "y", "w", "h", "text", "class"):
            if a[key] != b[key] and not (key in "wh" and measured_hidden(b)):
                problems.append(f"{a['id']}.{key}: selenium {a[key]!r}, ours {b[key]!r}")
        for name, c, d in zip(properties or [], a.get("styles", []), b["styles"]):
            if same_color(c) != same_color(d):
                problems.append(f"{a['id']}.{name}: selenium {c!r}, ours {d!r}")
    return problems


def measured_hidden(element):
    """Selenium shows an undisplayed option of a list for a moment to measure it; the snapshot changes no page."""
    display = element["styles"][element["display"]] if "display" in element else None
    return element["tag"] in ("option", "optgroup") and display == "none"


def same_color(value):
    """Selenium writes single colours always with an alpha; the score reads their first three numbers."""
    return re.sub(r"^rgb\((\d+), (\d+), (\d+)\)$", r"rgba(\1, \2, \3, 1)", value)


# ---- random pages ---------------------------------------------------------------------------------

DISPLAYS = ["block", "inline", "inline-block", "none", "flex", "inline-flex", "grid", "inline-grid", "table",
            "table-row", "table-cell", "inline-table", "table-row-group", "table-caption", "table-column",
            "list-item", "contents", "flow-root"]
OVERFLOWS = ["visible", "hidden", "scroll", "auto", "clip"]
LENGTHS = ["0", "0.3px", "1px", "7.5px", "40px", "120px", "50%", "300px", "auto"]
OFFSETS = ["-3000px", "-500px", "-50px", "-1px", "0", "10px", "200px", "1900px", "3000px", "auto"]
TEXTS = ["", " ", "\n  ", "plain", " two words ", "a\u00a0b", "x\u200by\u200e", "l1\nl2", "tab\there", "MiXed cAse don't",
         "\u00e9t\u00e9 na\u00efve", "\u4f60\u597d \u4e16\u754c", "  \u00a0  ", "a  b   c", "\u2028line", "&amp;&lt;b&gt;", "stra\u00dfe \ufb01"]
TAGS = (["div"] * 8 + ["span"] * 6 + ["p", "b", "i", "a", "h1", "ul", "ol", "li", "section", "br", "br", "hr", "button", "label",
        "pre", "code", "em", "table", "tr", "td", "th", "tbody", "thead", "caption", "col", "colgroup", "details", "summary",
        "select", "option", "optgroup", "textarea", "input", "img", "svg", "noscript", "fieldset", "legend", "dl", "dt",
        "dd", "canvas", "iframe", "video", "progress", "meter", "x-unknown", "slot", "form", "center", "font", "sup", "wbr",
        "script", "style", "template", "dialog", "map", "area", "object", "datalist", "output", "ruby", "rt", "q", "mark"])
SVG = ["path", "rect", "circle", "line", "g", "text", "title", "defs", "use", "a", "foreignObject", "tspan"]
PATHS = ["M0 0 L50 0", "M5 0 L5 40", "M0 0 L10 10 Z", "M0 0", ""]


def style(rng):
    pick = rng.choice
    options = [
        lambda: f"display:{pick(DISPLAYS)}", lambda: f"visibility:{pick(['hidden', 'visible', 'collapse', 'inherit'])}",
        lambda: f"opacity:{pick(['0', '1', '0.5', '0.0001', '0%'])}", lambda: f"overflow:{pick(OVERFLOWS)}",
        lambda: f"overflow-x:{pick(OVERFLOWS)}", lambda: f"overflow-y:{pick(OVERFLOWS)}",
        lambda: f"width:{pick(LENGTHS)}", lambda: f"height:{pick(LENGTHS)}",
        lambda: f"width:{pick(LENGTHS)};height:{pick(LENGTHS)};overflow:{pick(OVERFLOWS)}",
        lambda: f"position:{pick(['absolute', 'fixed', 'relative', 'sticky', 'static'])};left:{pick(OFFSETS)};top:{pick(OFFSETS)}",
        lambda: f"position:{pick(['absolute', 'fixed'])};right:{pick(OFFSETS)};bottom:{pick(OFFSETS)}",
        lambda: f"margin-{pick(['left', 'top'])}:{pick(OFFSETS)}", lambda: f"float:{pick(['left', 'right', 'none'])}",
        lambda: f"transform:{pick(['translate(-2000px,0)', 'translate(0,-3000px)', 'scale(0)', 'rotate(30deg)', 'scale(0.4)', 'none', 'translate(30px,5.5px)'])}",
        lambda: f"text-transform:{pick(['uppercase', 'lowercase', 'capitalize', 'none', 'full-width'])}",
        lambda: f"white-space:{pick(['normal', 'nowrap', 'pre', 'pre-wrap', 'pre-line', 'break-spaces'])}",
        lambda: f"text-wrap:{pick(['balance', 'nowrap', 'pretty'])}", lambda: f"content-visibility:{pick(['hidden', 'auto', 'visible'])}",
        lambda: f"clip-path:{pick(['inset(50%)', 'none'])}", lambda: f"font-size:{pick(['0', '10px', '30px'])}",
        lambda: f"text-indent:{pick(['-9999px', '0'])}", lambda: f"line-height:{pick(['0', '2'])}", lambda: "zoom:0.5",
        lambda: f"stroke:red;stroke-width:{pick(['0', '0.5', '2', '3px'])}", lambda: "contain:strict", lambda: "padding:3px",
        lambda: f"border:{pick(['1px', '0', '3px'])} solid red", lambda: f"writing-mode:{pick(['vertical-rl', 'horizontal-tb'])}",
        lambda: f"direction:{pick(['rtl', 'ltr'])}", lambda: "columns:2", lambda: "all:initial", lambda: "perspective:100px",
        lambda: f"letter-spacing:{pick(['1px', 'normal', '-0.5px'])};tab-size:{pick(['4', '10px'])}",
        lambda: "background:linear-gradient(rgb(1, 2, 3), rgba(4, 5, 6, 0.5)) no-repeat 3px 4px / 10px 20%",
        lambda: f"color:{pick(['red', 'rgba(1,2,3,.4)', 'color-mix(in srgb, red, blue)', 'hsl(10 20% 30%)', 'oklch(0.5 0.1 20)', 'transparent'])}",
        lambda: f"text-shadow:{pick(['1px 2px 3px red', '0 0 2px rgba(0,0,0,.5), 1px 1px blue', 'none'])};box-shadow:{pick(['1px 2px 3px 4px red', 'inset 0 0 1px rgba(0,0,0,.2)', 'none'])}",
        lambda: "border-radius:3px 4% / 5px;outline:2px dotted green", lambda: "font:italic 700 13.5px/1.2 monospace",
    ]
    return ";".join(rng.choice(options)() for _ in range(rng.choice([0, 0, 1, 1, 1, 2, 3])))


def attributes(rng, tag):
    found = {}
    if tag == "details" and rng.random() < 0.5: found["open"] = ""
    if tag == "dialog" and rng.random() < 0.5: found["open"] = ""
    if tag == "input": found["type"] = rng.choice(["text", "hidden", "checkbox", "submit", "range", "HIDDEN", "radio", "color"]); found["value"] = "v v"
    if tag in ("select", "textarea", "input") and rng.random() < 0.3: found["name"] = rng.choice(["children", "style", "body", "nodeType", "shadowRoot", "childNodes", "parentNode", "attributes"])
    if tag == "select" and rng.random() < 0.4: found["multiple"] = ""
    if tag == "img": found["alt"] = "alternative"; found["usemap"] = "#m"
    if tag == "map": found["name"] = "m"
    if tag == "area": found["shape"] = rng.choice(["rect", "circle", "poly", "default"]); found["coords"] = rng.choice(["0,0,10,10", "5,5,3", "1,1,9,9,20,2", "200,200,300,300", ""])
    if tag == "img" and rng.random() < 0.7: found.update(width="30", height="20")
    if tag == "path": found["d"] = rng.choice(PATHS)
    if tag in ("rect", "use", "foreignObject"): found.update(width="20", height=rng.choice(["0", "10"]))
    if tag == "circle": found.update(r="8")
    if tag == "line": found.update(x2="30", y2=rng.choice(["0", "9"]))
    if tag == "svg" and rng.random() < 0.8: found.update(width=rng.choice(["0", "60"]), height="50")
    if tag == "iframe": found["srcdoc"] = "<p>inner</p>"
    if rng.random() < 0.1: found["hidden"] = rng.choice(["", "until-found"])
    if rng.random() < 0.1: found["class"] = rng.choice(["a b", " c ", ""])
    return found


def children(rng, depth, tags, shadow):
    count = rng.choice([0, 1, 1, 2, 2, 3]) if depth > 0 else 0
    found = []
    for _ in range(count):
        if rng.random() < 0.7:
            found.append(rng.choice(TEXTS))
        found.append(node(rng, depth - 1, tags, shadow))
    if rng.random() < 0.6 or depth == 0:
        found.append(rng.choice(TEXTS))
    return found


def node(rng, depth, tags, shadow):
    tag = rng.choice(tags)
    inner = SVG + ["div"] if tag in ("svg", "g") else [t for t in TAGS if t in ("option", "optgroup")] + ["option"] if tag == "select" else tags
    if tag in ("br", "hr", "img", "input", "col", "wbr", "area"):
        inside = []
    elif tag in ("script", "style", "textarea", "iframe"):
        inside = [rng.choice(["text here", "/* a */"])]
    else:
        inside = children(rng, depth, inner, shadow)
    if shadow and tag in ("div", "span", "section") and rng.random() < 0.25:
        root = ["template", {"shadowrootmode": rng.choice(["open", "open", "closed"])}, "", children(rng, 2, tags + ["slot"] * 20, False)]
        inside.insert(0, root)
    return [tag, attributes(rng, tag), style(rng), inside]


def page(seed):
    rng = random.Random(seed)
    tree = [node(rng, rng.choice([1, 2, 3, 4]), TAGS, seed % 5 == 4) for _ in range(rng.choice([1, 2, 3, 4, 5]))]
    special = [["html", {}, style(rng) if rng.random() < 0.2 else "", []], ["body", {}, style(rng) if rng.random() < 0.3 else "", []]]
    doctype = "<!doctype html>" if rng.random() < 0.85 else ""
    scroll = rng.choice(["", "", "", "scrollTo(0, 200)", "scrollTo(300, 100)", "document.querySelectorAll('*').forEach((e) => { e.scrollTop = 30; e.scrollLeft = 20; })"])
    return [doctype, special, tree, scroll]


VOID = {"br", "hr", "img", "input", "col", "wbr", "area"}


def write(item):
    if isinstance(item, str):
        return item
    tag, attrs, css, inside = item
    text = "".join(f' {name}="{value}"' for name, value in attrs.items()) + (f' style="{css}"' if css else "")
    return f"<{tag}{text}>" + ("" if tag in VOID else "".join(map(write, inside)) + f"</{tag}>")


def html(content):
    doctype, (root, body), tree, scroll = content
    attrs = lambda item: f' style="{item[2]}"' if item[2] else ""
    script = f"<script>{scroll}</script>" if scroll else ""
    return f"{doctype}<html{attrs(root)}><head><meta charset=utf-8></head><body{attrs(body)}>{''.join(map(write, tree))}{script}</body></html>"


def smaller(content):
    """Every page that lacks one piece of this one, largest pieces first."""
    def paths(items, prefix):
        for i, item in enumerate(items):
            yield prefix + [i]
            if not isinstance(item, str):
                yield from paths(item[3], prefix + [i])

    for at in (0, 3):
        if content[at]:
            less = copy.deepcopy(content); less[at] = "<!doctype html>" if at == 0 and not content[0] else ""
            if less != content and at == 3: yield less
    for at in (0, 1):
        if content[1][at][2]:
            less = copy.deepcopy(content); less[1][at][2] = ""; yield less
    for path in paths(content[2], []):
        def reach(copy_of):
            items = copy_of[2]
            for i in path[:-1]:
                items = items[i][3]
            return items
        less = copy.deepcopy(content); del reach(less)[path[-1]]; yield less
        item = reach(content)[path[-1]]
        if isinstance(item, str):
            continue
        if item[3]:
            less = copy.deepcopy(content); reach(less)[path[-1]:path[-1] + 1] = item[3]; yield copy.deepcopy(less)
        if item[2]:
            rules = item[2].split(";")
            for i in range(len(rules)):
                less = copy.deepcopy(content); reach(less)[path[-1]][2] = ";".join(rules[:i] + rules[i + 1:]); yield less
        for name in item[1]:
            less = copy.deepcopy(content); del reach(less)[path[-1]][1][name]; yield less


def shrink(bench, content, limit=400):
    tried = 0
    again = True
    while again and tried < limit:
        again = False
        for less in smaller(content):
            tried += 1
            if tried > limit:
                break
            if safely(bench, html(less)):
                content, again = less, True
                break
    return content


def safely(bench, text):
    try:
        return bench.differences(text)
    except Exception as error:  # a page that cannot be read at all is a difference too
        return [f"error: {str(error).splitlines()[0]}"]


def run_random(bench, first, last, keep):
    bad = 0
    for seed in range(first, last):
        problems = safely(bench, html(page(seed)))
        if problems:
            bad += 1
            print(f"seed {seed}: {len(problems)} differences: {problems[:2]}", flush=True)
            if bad <= keep:
                text = html(shrink(bench, page(seed)))
                print(f"   {text!r}\n   {safely(bench, text)[:3]}", flush=True)
    print(f"{last - first} pages, {bench.elements} elements, {bad} pages differ")
    return bad


def run_pages(bench, paths):
    files = [f for p in paths for f in (sorted(p.rglob("*.html")) if p.is_dir() else [p])]
    bad = 0
    for file in files:
        problems = safely(bench, file.read_text(encoding="utf-8"))
        bad += bool(problems)
        if problems:
            print(f"{file}: {problems[:4]}", flush=True)
    print(f"{len(files)} pages, {bench.elements} elements, {bad} pages differ")
    return bad


def expected(element):
    """Boxes depend on fonts, so only those of elements whose id starts with "box" are kept; ids of LIST are not."""
    name = "" if re.fullmatch(r"n\d+", element["id"]) else element["id"]
    return [name, element["text"], [element[k] for k in "xywh"] if name.startswith("box") else None]


def write_fixture(bench, path):
    fixture = json.loads(path.read_text(encoding="utf-8"))
    version = bench.driver.capabilities["browserVersion"]
    fixture["made_with"] = f"Selenium {selenium.__version__}, Chromium {version}"
    for item in fixture["pages"]:
        bench.load(item["html"])
        bench.driver.execute_script(LIST)
        found = bench.selenium(None)
        item["expected"] = [expected(e) for e in found]
        problems = bench.differences(item["html"])
        if problems:
            print(f"{item['name']}: {problems[:4]}")
    fixture["viewport"] = bench.snapshot()["viewport"]
    pages = [json.dumps(item, ensure_ascii=False) for item in fixture.pop("pages")]
    head = json.dumps(fixture, ensure_ascii=False)[:-1]
    path.write_text(head + ', "pages": [\n' + ",\n".join(pages) + "\n]}\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["random", "pages", "fixture"])
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    parser.add_argument("--seeds", default="0:200")
    parser.add_argument("--keep", type=int, default=3, help="how many pages that differ are shrunk")
    parser.add_argument("--styles", action="store_true")
    options = parser.parse_args()
    bench = Bench(options.styles)
    try:
        if options.what == "random":
            first, last = map(int, options.seeds.split(":"))
            return 1 if run_random(bench, first, last, options.keep) else 0
        if options.what == "pages":
            return 1 if run_pages(bench, options.paths) else 0
        return write_fixture(bench, options.paths[0])
    finally:
        bench.driver.quit()


if __name__ == "__main__":
    sys.exit(main())
