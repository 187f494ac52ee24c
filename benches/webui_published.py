#!/usr/bin/env python3
"""Score two web pages in the published way: element by element through WebDriver, one request at a time.

Optional, not part of the tests. It is written from the rules of the score and shares no code with this program, so
that both can be compared: scores to 1e-9, and times with those of `mageyard aes`. Needs chromium, chromium-driver and
a virtual environment, which it makes:

    python3 benches/webui_published.py --venv /tmp/webui TARGET GENERATED [--actions steps.json]
    python3 benches/webui_published.py --venv /tmp/webui --against target/release/mageyard --pairs pairs.json

TARGET and GENERATED are folders with an index.html, or HTML files. A file of pairs is a list of
{"target", "generated", "actions"}; with --against each pair is also scored by that program, and the largest difference
and both times are printed. --read-once reads each fact once instead of once for each cell of the cost matrix, as the
published code does: the same scores, sooner. --no-waits leaves out the waiting time after interactions.
"""

import argparse
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import venv

POSITION_WEIGHT = 46
AREA_POWER = 0.8987018465995789
VIEWPORT = (1920, 937)
FORBIDDEN = 1e5
PACKAGES = ["selenium==4.51.0", "numpy", "scipy"]


# ---- reading --------------------------------------------------------------------------------------

class Element:
    """An element of a live page; every fact is a request, or is kept after the first one."""

    def __init__(self, handle, keep):
        self.handle = handle
        self.keep = keep
        self.kept = {}
        rect = handle.rect
        self.box = (rect["x"], rect["y"], rect["x"] + rect["width"], rect["y"] + rect["height"])
        self.area = rect["width"] * rect["height"]
        self.shown = handle.is_displayed()
        self.filter = handle.get_attribute("data-filter-by")
        self.names = (handle.get_attribute("data-evalby") or "").split("|") if self.filter is not None else []

    def fact(self, key, read):
        if not self.keep:
            return read()
        if key not in self.kept:
            self.kept[key] = read()
        return self.kept[key]

    def style(self, name):
        return self.fact(name, lambda: self.handle.value_of_css_property(name))

    def text(self):
        return self.fact("(text)", lambda: self.handle.text)

    def class_name(self):
        return self.fact("(class)", lambda: self.handle.get_attribute("class"))

    def descendants(self):
        return self.fact("(descendants)", lambda: len(self.handle.find_elements("css selector", "*")))


def read_page(driver, keep):
    body = driver.find_element("tag name", "body")
    elements = [Element(handle, keep) for handle in body.find_elements("css selector", "*")]
    return [element for element in elements if element.shown and element.area > 0.1]


# ---- attributes: each compares target and generated element, and raises ValueError for "skip" -------

def pixels(target, generated):
    t, g = (float(value.strip("px")) for value in (target, generated))
    difference = abs(g - t) / t if t != 0 else float(g != 0)
    return 1 - difference if difference < 1 else 0.0


def channels(value):
    if "rgb" not in value:
        raise ValueError(value)
    numbers = [float(n) for n in value.split("(")[1].strip(")").split(", ")]
    if len(numbers) < 3:
        raise ValueError(value)
    return numbers[:3]


def colors(target, generated):
    pairs = zip(channels(target), channels(generated))
    return sum(max(1 - abs(t - g) / 256, 0) for t, g in pairs) / 3


def texts(target, generated):
    target, generated = target.strip(), generated.strip()
    words, others = target.split(" "), generated.split(" ")
    if len(words) < 10:
        return float(target.lower() == generated.lower())
    return len(set(words) & set(others)) / len(set(words) | set(others))


def equal(target, generated):
    return float(target == generated)


def shadow_parts(value):
    pieces = value.split(" ")
    lengths = pieces[-4:]
    color = " ".join(pieces[:-5] if "rgba(" in value else pieces[:-4])
    if len(lengths) < 4:
        raise ValueError(value)
    return color, lengths


def box_shadows(target, generated):
    (color, lengths), (other, others) = shadow_parts(target), shadow_parts(generated)
    return (2 * colors(color, other) + sum(map(pixels, lengths, others))) / 6


def background_sizes(target, generated):
    sizes, others = target.split(" "), generated.split(" ")
    if len(sizes) != 2 or len(others) != 2:
        raise ValueError(target)
    return sum(map(pixels, sizes, others)) / 2


def gradients(target, generated):
    opaque = r"rgb\(\d+, \d+, \d+\)"
    found = [colors(t, g) for t, g in zip(re.findall(opaque, target), re.findall(opaque, generated))]
    if not found:
        raise ValueError(target)
    return sum(found) / len(found)


def shadow_colors(value):
    return re.findall(r"rgba\(\d+, \d+, \d+, \d+\)", value) + re.findall(r"rgb\(\d+, \d+, \d+\)", value)


def text_shadows(target, generated):
    total, weight = 0.0, 0
    if "rgb" in target:
        first, second = shadow_colors(target), shadow_colors(generated)
        weight = 2
        if len(first) == len(second):
            if not first:
                raise ValueError(target)
            total = 2 * colors(first[0], second[0])
    lengths, others = ([p for p in value.split(" ") if p.endswith("px")] for value in (target, generated))
    values = list(map(pixels, lengths, others))
    if weight + len(values) == 0:
        raise ValueError(target)
    return (total + sum(values)) / (weight + len(values))


def styled(compare, name):
    return lambda t, g: compare(t.style(name), g.style(name))


def rows():
    """name -> (weight, threshold of the filter or None, comparison or None)"""
    visible_text = lambda t, g: texts(t.text(), g.text())
    always = lambda t, g: 1.0
    table = {"has_text": (44, 0.5, always), "class": (66.6, 0.5, lambda t, g: equal(t.class_name(), g.class_name()))}
    table |= {name: (6.8, 0.6, visible_text) for name in ("text", "placeholder", "value")}
    sides = ("top", "right", "bottom", "left")

    def add(compare, threshold, weights):
        for name, weight in weights.items():
            table[name] = (weight, threshold, styled(compare, name))

    edge_colors = {f"border-{side}-color": 16.9 for side in sides}
    add(colors, 0.01, {"color": 30, "background-color": 59, "outline-color": 16.9} | edge_colors)
    corners = {f"border-{v}-{h}-radius": 100 for v in ("top", "bottom") for h in ("left", "right")}
    widths = {f"border-{side}-width": 2.1 for side in sides}
    add(pixels, 0.01, {"height": 31.92, "width": 31.92, "font-size": 9.8, "letter-spacing": 67} | corners | widths)
    table["border-top-width"] = (2.1, 0.01, styled(pixels, "border-left-width"))
    edge_styles = {f"border-{side}-style": 79.2 for side in sides}
    add(equal, 0.5, {"font-family": 94.6, "font-style": 94.6, "outline-style": 79.2, "display": 51, "tab-size": 50.8,
                     "background-repeat": 24.5, "background-image": 12.6, "font-weight": 2.1, "outline-width": 2.1,
                     "src": 12.6, "type": 18.9} | edge_styles)
    add(text_shadows, None, {"text-shadow": 83})
    add(box_shadows, None, {"box-shadow": 56.7})
    add(background_sizes, None, {"background-size": 14.3})
    table["background-linear-gradient"] = (18, None, styled(gradients, "background"))
    return table


TABLE = rows()


def parts(name, target):
    """The single names behind one of data-evalby."""
    if name == "border-radius":
        return [f"border-{v}-{h}-radius" for v in ("bottom", "top") for h in ("left", "right")]
    if name == "border":
        return [f"border-{side}-width" for side in ("bottom", "top", "left", "right")]
    if name in ("border-top", "border-left", "border-right"):
        return [f"{name}-width", f"{name}-color"]
    if name == "outline":
        return ["outline-style", "outline-width", "outline-color"]
    if name == "background":
        gradient = "linear-gradient" in target.style("background")
        return ["background-linear-gradient", "background-color", "background-repeat"] if gradient else []
    return [name]


def attribute(name, target, generated):
    """(value times weight, weight), or None if nothing can be compared."""
    found = []
    for part in parts(name, target):
        if part == "class" or part not in TABLE:
            continue
        weight, _, compare = TABLE[part]
        try:
            found.append((compare(target, generated) * weight, weight))
        except ValueError:
            continue
    if not found:
        return None
    return sum(value for value, _ in found) / len(found), sum(weight for _, weight in found) / len(found)


def filtered(target, generated):
    _, threshold, compare = TABLE[target.filter]
    try:
        return 0 if compare(target, generated) > threshold else -1
    except ValueError:
        return -0.01


# ---- boxes, inclusive ------------------------------------------------------------------------------

def inclusive(box):
    return (box[2] - box[0] + 1) * (box[3] - box[1] + 1)


def shared(a, b):
    width = min(a[2], b[2]) - max(a[0], b[0]) + 1
    height = min(a[3], b[3]) - max(a[1], b[1]) + 1
    return max(0, width) * max(0, height)


def giou(a, b):
    overlap = shared(a, b)
    union = inclusive(a) + inclusive(b) - overlap
    around = inclusive((min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])))
    return overlap / union - (around - union) / around


def position(a, b):
    overlap = shared(a, b)
    if overlap > 0:
        return 0.5 + 0.5 * overlap / min(inclusive(a), inclusive(b))
    return (giou(a, b) + 1) / 2


# ---- a sub-page ------------------------------------------------------------------------------------

def cost(target, generated):
    score = giou(target.box, generated.box) + filtered(target, generated) - 1e-5 * generated.descendants()
    return -score if score >= -1 else FORBIDDEN


def pair_score(target, generated):
    found = filter(None, (attribute(name, target, generated) for name in target.names))
    total, weight = POSITION_WEIGHT * position(target.box, generated.box), POSITION_WEIGHT
    for value, part in found:
        total += value
        weight += part
    return total / weight


def area_weight(target):
    return target.area ** AREA_POWER


def score_page(name, target_elements, generated_elements):
    import numpy
    from scipy.optimize import linear_sum_assignment

    annotated = [e for e in target_elements if e.filter is not None]
    targets = [e for e in annotated if e.filter in TABLE and TABLE[e.filter][1] is not None]
    costs = numpy.zeros((len(targets), len(generated_elements)))
    for i, target in enumerate(targets):
        for j, generated in enumerate(generated_elements):
            costs[i, j] = cost(target, generated)
    columns = {int(i): int(j) for i, j in zip(*linear_sum_assignment(costs))}
    pairs, score, weight, without = [], 0.0, 0.0, 0
    for i, target in enumerate(targets):
        if i not in columns:
            weight += area_weight(target)
            without += 1
        elif costs[i, columns[i]] <= 1:
            quality = pair_score(target, generated_elements[columns[i]])
            pairs.append([i, columns[i], quality, area_weight(target)])
            score += quality * area_weight(target)
            weight += area_weight(target)
    return {"name": name, "score": score, "weight": weight, "targets": len(targets), "shown": len(generated_elements),
            "matched": len(pairs), "zero": without, "pairs": pairs}


# ---- interactions ----------------------------------------------------------------------------------

def find(driver, place):
    from selenium.webdriver.common.by import By

    ways = {"id": By.ID, "class": By.CLASS_NAME, "css": By.CSS_SELECTOR, "xpath": By.XPATH, "name": By.NAME,
            "link_text": By.LINK_TEXT}
    if "text" in place:
        text = json.dumps(place["text"])
        way, value = By.XPATH, f"//*[normalize-space(.)={text} and not(.//*[normalize-space(.)={text}])]"
    else:
        kind = next(kind for kind in ways if kind in place)
        way, value = ways[kind], place[kind]
    return driver.find_elements(way, value)[place["index"]] if "index" in place else driver.find_element(way, value)


def key_of(name):
    from selenium.webdriver.common.keys import Keys

    special = {"Escape": Keys.ESCAPE, "Backspace": Keys.BACKSPACE}
    if name in special or len(name) == 1:
        return special.get(name, name)
    return getattr(Keys, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper())


def perform(driver, step):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.support.select import Select

    (verb, what), = step.items()
    chain = ActionChains(driver)
    locate = functools.partial(find, driver)
    moved = lambda place: chain.move_to_element_with_offset(locate(place), *place.get("offset", (0, 0)))
    if verb == "click" and "offset" not in what:
        locate(what).click()
    elif verb == "click":
        moved(what).click().perform()
    elif verb == "double_click":
        moved(what).double_click().perform()
    elif verb == "right_click":
        moved(what).context_click().perform()
    elif verb == "hover":
        moved(what).perform()
    elif verb == "type" and "into" in what:
        locate(what["into"]).send_keys(what["text"])
    elif verb == "type":
        chain.send_keys(what["text"]).perform()
    elif verb == "clear":
        locate(what).clear()
    elif verb == "press":
        if "on" in what:
            locate(what["on"]).send_keys(key_of(what["key"]))
        else:
            chain.send_keys(key_of(what["key"])).perform()
    elif verb == "choose":
        Select(locate(what["from"])).select_by_visible_text(what["option"])
    elif verb == "submit":
        locate(what).submit()
    elif verb == "drag":
        moved(what["from"]).click_and_hold()
        (chain.move_by_offset(*what["to"]["by"]) if "by" in what["to"] else moved(what["to"]["onto"])).release().perform()
    elif verb == "scroll":
        scroll(driver, what)
    elif verb == "wait_ms":
        time.sleep(what / 1000)
    else:
        raise SystemExit(f"no such step: {verb}")


def scroll(driver, what):
    (way, value), = what.items()
    if way == "into_view":
        driver.execute_script("arguments[0].scrollIntoView()", find(driver, value))
    elif way == "to_end":
        driver.execute_script("scrollTo(0, document.documentElement.scrollHeight)")
    else:
        driver.execute_script("scrollBy(...arguments)" if way == "by" else "scrollTo(...arguments)", *value)


# ---- two pages -------------------------------------------------------------------------------------

def start():
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    for flag in ["--headless", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en-US",
                 "--force-device-scale-factor=1", "--force-color-profile=srgb"]:
        options.add_argument(flag)
    options.binary_location = "/usr/bin/chromium"
    options.unhandled_prompt_behavior = "accept"
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    driver.set_window_size(*VIEWPORT)
    inner = driver.execute_script("return [innerWidth, innerHeight]")
    driver.set_window_size(*(2 * wanted - found for wanted, found in zip(VIEWPORT, inner)))
    return driver


class Counter:
    """Counts the requests of a driver."""

    def __init__(self, driver):
        self.count = 0
        inner = driver.command_executor.execute

        def execute(*arguments):
            self.count += 1
            return inner(*arguments)

        driver.command_executor.execute = execute


def address(path):
    path = pathlib.Path(path).resolve()
    return (path / "index.html" if path.is_dir() else path).as_uri()


def act(driver, interaction):
    """Why the interaction failed, or None."""
    from selenium.common.exceptions import WebDriverException

    try:
        for step in interaction["steps"]:
            perform(driver, step)
    except (WebDriverException, IndexError) as error:
        return str(error).splitlines()[0]
    return None


def score_pair(target, generated, actions, options):
    """Scores one pair with two browsers of its own."""
    started = time.monotonic()
    drivers = [start(), start()]
    counters = [Counter(driver) for driver in drivers]
    waited = 0.0
    try:
        for driver, path in zip(drivers, (target, generated)):
            driver.get(address(path))
        begun = time.monotonic()
        pages = []
        for interaction in [None, *actions]:
            failed = None
            if interaction:
                problem = act(drivers[0], interaction)
                if problem:
                    raise SystemExit(f"{target}: {interaction['name']} fails on the target: {problem}")
                failed = act(drivers[1], interaction)
                if not options.no_waits:
                    time.sleep(interaction.get("wait_ms", 0) / 1000)
                    waited += interaction.get("wait_ms", 0) / 1000
            name = interaction["name"] if interaction else "start"
            elements = read_page(drivers[0], options.read_once)
            if failed:
                page = score_page(name, elements, elements)
                page.update(score=0.0, failed=failed, pairs=[])
            else:
                page = score_page(name, elements, read_page(drivers[1], options.read_once))
            pages.append(page)
        ended = time.monotonic()
    finally:
        for driver in drivers:
            driver.quit()
    score, weight = (sum(page[key] for page in pages) for key in ("score", "weight"))
    return {"aes": score / weight if weight else 0.0, "pages": pages, "start_s": begun - started,
            "read_s": ended - begun - waited, "waited_s": waited, "requests": sum(c.count for c in counters)}


# ---- comparison with this program ------------------------------------------------------------------

def ours(program, pair, options):
    command = [program, "aes", pair["target"], pair["generated"], "--json"]
    command += ["--actions", pair["actions"]] if pair.get("actions") else []
    command += options.program_options.split()
    started = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    took = time.monotonic() - started
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout), took


def differences(published, own):
    """The largest difference of the score and of any pair, and what differs."""
    notes, largest = [], abs(published["aes"] - own["aes"])
    for theirs, mine in zip(published["pages"], own["pages"]):
        for key in ("targets", "shown", "matched", "zero"):
            if theirs[key] != mine[key] and not theirs.get("failed"):
                notes.append(f"{theirs['name']}.{key}: published {theirs[key]}, ours {mine[key]}")
        for key in ("score", "weight"):
            largest = max(largest, abs(theirs[key] - mine[key]) / max(1.0, abs(theirs[key])))
        qualities = [[pair["score"] if isinstance(pair, dict) else pair[2] for pair in page["pairs"]] for page in (theirs, mine)]
        if not theirs.get("failed") and len(qualities[0]) == len(qualities[1]):
            largest = max([largest, *(abs(a - b) for a, b in zip(*qualities))])
    return largest, notes


def compare(pairs, options):
    worst = 0.0
    times = []
    for pair in pairs:
        published = score_pair(pair["target"], pair["generated"], read_actions(pair.get("actions")), options)
        own, took = ours(options.against, pair, options)
        largest, notes = differences(published, own)
        worst = max(worst, largest)
        times.append((published["read_s"] + published["start_s"], took))
        print(f"{pair['target']} {pair['generated']}: published {published['aes']:.12f} in {published['read_s']:.1f} s "
              f"and {published['requests']} requests (start {published['start_s']:.1f} s), ours {own['aes']:.12f} in "
              f"{took:.2f} s; difference {largest:.2e} {'; '.join(notes)}", flush=True)
    total = [sum(column) for column in zip(*times)]
    print(f"{len(pairs)} pairs, largest difference {worst:.2e}, published {total[0]:.1f} s, ours {total[1]:.1f} s")
    return 0 if worst <= 1e-9 else 1


def read_actions(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8")) if path else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", metavar="TARGET GENERATED")
    parser.add_argument("--venv", type=pathlib.Path, help="folder of the virtual environment, made if it is missing")
    parser.add_argument("--actions", help="JSON file of interactions")
    parser.add_argument("--pairs", help="JSON file of pairs")
    parser.add_argument("--against", help="program to compare with")
    parser.add_argument("--program-options", default="", help="further options of that program")
    parser.add_argument("--read-once", action="store_true")
    parser.add_argument("--no-waits", action="store_true")
    options = parser.parse_args()
    if options.venv and pathlib.Path(sys.prefix).resolve() != options.venv.resolve():
        return in_environment(options.venv)
    pairs = read_actions(options.pairs)
    if options.pages:
        target, generated = options.pages
        pairs = [{"target": target, "generated": generated, "actions": options.actions}]
    if options.against:
        return compare(pairs, options)
    for pair in pairs:
        print(json.dumps(score_pair(pair["target"], pair["generated"], read_actions(pair.get("actions")), options)))
    return 0


def in_environment(folder):
    """Runs this script again inside the virtual environment."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    os.execv(python, [str(python), *sys.argv])


if __name__ == "__main__":
    sys.exit(main())
