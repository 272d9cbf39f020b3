#!/usr/bin/env python3
"""check_page.py --browser CHROMIUM --work DIR (--samples MAKE_SAMPLES | --dampi-run DAMPI_RUN PROGRAM...)

Opens pages of sweeps (report.html) in a headless browser: those that MAKE_SAMPLES writes, or those of sweeps of the
programs. Each view is opened and clicked through with the mouse, and shows what its data says; nothing of the program's
becomes markup; there is no error on the console, and nothing is fetched.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time

import browser

FAILURES = []
MOST_WITHOUT_DATA = 150_000  # bytes
DATA = re.compile(r'<script id="data" type="(application/json|text/plain)">(.*?)</script>', re.S)


class Check:
    """What is wrong is said with the page and the view."""

    def __init__(self, tab, name):
        self.tab = tab
        self.name = name
        self.view = ""

    def that(self, good, what):
        if not good:
            FAILURES.append(f"{self.name}, {self.view}: {what}")

    def open(self, view):
        self.view = view
        self.tab.click("#tab-" + view)
        self.that(self.tab.value("document.getElementById('view').dataset.view") == view, "another view is shown")
        self.frame()
        self.words()

    def frame(self):
        """Until what was changed has been drawn."""
        self.tab.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def words(self):
        """Something is shown, and nothing that shows a fault of the page's."""
        text = self.text("#view")
        self.that(len(text) > 20, "it is empty")
        found = re.search(r"undefined|\bNaN\b|\[object|\bnull\b", text)
        self.that(not found, f"it says '{found and text[max(0, found.start() - 40):found.end() + 20]}'")
        attributes = self.tab.value("""[...document.querySelectorAll('svg *')].flatMap((each) => [...each.attributes])
            .filter((each) => /NaN|undefined|Infinity/.test(each.value)).map((each) => each.name + '=' + each.value)[0] || ''""")
        self.that(not attributes, f"a drawing has {attributes}")

    def click_if_drawn(self, selector):
        """A click brings what is clicked into sight, so that what is far from there is not drawn any more."""
        drawn = self.count(selector) > 0
        if drawn:
            self.tab.click(selector)
        return drawn

    def text(self, selector):
        return self.tab.value(f"document.querySelector({json.dumps(selector)})?.innerText || ''")

    def count(self, selector):
        return self.tab.value(f"document.querySelectorAll({json.dumps(selector)}).length")


def check_findings(check, data):
    check.open("findings")
    entries = data["worst_first"]
    check.that(check.count("details.card") == len(entries), "not each finding has a card")
    if not entries:
        check.that("Nothing was found" in check.text("#view"), "it does not say that nothing was found")
    for i, entry in list(enumerate(entries))[:4]:
        card = f"details.card:nth-of-type({i + 1})"
        if i > 0:
            check.tab.click(card + " > summary")
            check.frame()
        finding = data[entry["list"]][entry["index"]]
        text = squeezed(check.text(card))
        check.that(squeezed(finding["message"]) in text, f"finding {i} does not say what was found")
        check.that(squeezed(data["kinds"][finding["kind"]]["remedy"]) in text, f"finding {i} does not say what to do")
        for group in finding["groups"]:
            check.that(squeezed(group["name"] + ": " + group["call"]) in text, f"finding {i} leaves out {group['name']}")
        if finding["where"] and finding["where"]["file"] and sources_of(data, finding["where"]):
            check.that(check.count(card + " .source .hit") > 0, f"finding {i} shows no line of the source")
        if finding["replay"]:
            check.that(squeezed(finding["replay"]) in text, f"finding {i} does not say how to see it again")
            check.tab.click(card + " .command + button")
            check.tab.wait(f"document.querySelector({json.dumps(card + ' .command + button')}).innerText !== 'copy'", "copying")
    check.words()
    if entries:
        check.tab.click("details.card .row button")  # leads to the interleaving of the first
        check.that(check.count(".lanes") == 1, "no interleaving is shown from the finding")


def sources_of(data, where):
    return data["sources"].get(f"{where['file']}:{where['line']}")


def squeezed(text):
    """Without what browsers show otherwise: white space and control characters."""
    return re.sub(r"[\s\x00-\x1f\u2028]+", "", text)


def check_interleaving(check, data):
    check.open("interleaving")
    for entry in choose(check, data, 3):
        finding = data[entry["list"]][entry["index"]]
        calls = finding["calls"]["list"] if finding["calls"] else None
        if calls:
            check_calls(check, finding["calls"])
        if finding["epochs"]:
            check_operations(check, finding)
        if calls or finding["epochs"]:
            check_stepping(check, len(calls or finding["epochs"]))
        ends = check.tab.value("[...document.querySelectorAll('[data-end]')].map((each) => each.dataset.end)")
        check.that(bool(ends) == bool(finding["situations"]), "it does not show where the ranks stand")
        for rank in ends[:3]:
            check.tab.click(f"[data-end='{rank}']")
            check.that(check.text(".detail h3").startswith(f"Rank {rank} at the end"), f"a click does not show the end of rank {rank}")
        check_folding(check, data)
        check.words()


KINDS = ["send", "receive", "probe", "collective", "completion", "finalize", "abort"]


def check_calls(check, packed):
    """Calls that choose nothing are drawn, too, with their messages and collectives."""
    marks = check.tab.value("[...document.querySelectorAll('[data-operation]')].map((each) => Number(each.dataset.operation))")
    plain = [number for number in marks if packed["list"][number][8] is None]
    check.that(plain, "no call is drawn that chooses nothing")
    arriving = [number for number in marks if packed["list"][number][1] == 1 and packed["list"][number][11] is not None]
    check.that(not arriving or check.count("svg .match") > 0, "no message is drawn")
    check.that(not any(packed["list"][number][14] for number in marks) or check.count(".scroll svg .collective") > 0, "no collective is drawn")
    for number in plain[:2] + plain[-2:]:
        if not check.click_if_drawn(f"[data-operation='{number}']"):
            continue
        rank, kind, function = packed["list"][number][:3]
        text = squeezed(check.text(".detail"))
        check.that(squeezed(f"Rank {rank}: {packed['functions'][function]}") in text, f"a click does not show call {number}")
        if KINDS[kind] == "collective":
            check.that("Init:rank" in text, "it does not say who is in the collective")


def check_operations(check, finding):
    marks = check.tab.value("[...document.querySelectorAll('[data-epoch]')].map((each) => Number(each.dataset.epoch))")
    check.that(marks, "no operation that chooses is drawn")
    for number in marks[:3] + marks[-2:]:
        epoch = finding["epochs"][number]
        if not check.click_if_drawn(f"[data-epoch='{number}']"):
            continue
        text = check.text(".detail")
        check.that(f"operation {epoch['rank']}#{epoch['index']}" in text, f"a click does not show operation {number}")
        check.that(check.count(".mark.chosen") == 1, "not exactly the mark that was clicked is chosen")
        if epoch["matched"]:
            matched = epoch["matched"]
            check.that(f"took the message with tag {matched['tag']} from rank {matched['source']}" in text,
                       "it does not say what was taken")
    # What is in sight and beyond it, but not everything, however long the run was.
    check.that(len(marks) <= 1000, f"{len(marks)} marks are drawn at once")
    check.that(any(epoch["matched"] for epoch in finding["epochs"]) <= (check.count("svg .match") > 0), "no message is drawn")
    check.that(any(epoch["forced"] for epoch in finding["epochs"][:5]) <= (check.count("svg .match.forced") > 0),
               "no forced message is bold")
    check.that(any(epoch["alternatives"] for epoch in finding["epochs"]) <= (check.count("svg .alternative") > 0),
               "no alternative is dashed")


def check_stepping(check, operations):
    def step(label, expected):
        check.tab.click(f"[aria-label='{label}']")
        check.that(check.text(".steps").startswith(f"{expected} of {operations} "), f"'{label}' leads to {check.text('.steps')}")

    step("to the beginning", 0)
    check.that(check.count("[data-operation]") == check.count(".later [data-operation]"), "operations are shown before the first step")
    step("one on", 1)
    step("to the end", operations)
    check.that(check.count(".later") == 0, "operations are not shown after the last step")
    step("one back", operations - 1)
    check.tab.value("""(() => { const order = document.querySelector("[aria-label='order']");
        order.value = 'outcome'; order.dispatchEvent(new Event('change')); })()""")
    step("to the end", operations)


def check_folding(check, data):
    lines = check.count(".names svg > g")
    check.that(lines <= 64 and (lines == data["processes"] or data["processes"] > 16), f"{lines} lines are drawn")
    apart = check.tab.value("""(() => { const {finding, laneOf} = page.diagram;
        return finding.epochs.filter((each) => each.matched && each.alternatives.some((other) =>
            other.source !== each.matched.source && laneOf.get(other.source) === laneOf.get(each.matched.source))).length; })()""")
    check.that(apart == 0, f"{apart} choices are between ranks of one line")
    if check.count(".names .fold") > 0:
        check.tab.click(".names .fold text")
        check.that(check.count(".names svg > g") > lines, "a click does not unfold ranks that did the same")
        check.tab.click(".names .fold text")
        check.that(check.count(".names svg > g") == lines, "a click does not fold them again")


def choose(check, data, most, wanted=lambda finding: True):
    """The findings that can be chosen in a view, each while it is chosen."""
    entries = [entry for entry in data["worst_first"] if wanted(data[entry["list"]][entry["index"]])]
    for i, entry in enumerate(entries[:most]):
        if len(entries) > 1:
            check.tab.value(f"""(() => {{ const list = document.querySelector("[aria-label='finding']");
                list.value = '{i}'; list.dispatchEvent(new Event('change')); }})()""")
            check.frame()
        yield entry


def check_difference(check, data):
    check.open("difference")
    for entry in choose(check, data, 3):
        finding = data[entry["list"]][entry["index"]]
        difference = finding["difference"]
        text = check.text("#view")
        check.that(("nearest one" in text) == bool(difference), "it does not say whether there is one that passes")
        if difference:
            first = [choice for choice in difference["choices"] if choice["first"]]
            check.that(not first or check.count(".sides") == len(first[:12]), "it does not show the choices that differ")
            ranks = finding["call_differences"] if finding["call_differences"] is not None else difference["ranks"]
            tables = check.count("#view table")
            check.that(tables <= len(ranks) and (tables > 0) == bool(ranks), f"{tables} tables are shown for {len(ranks)} ranks")
            same = check.tab.value("""(() => { const tables = [...document.querySelectorAll('#view table')].map((each) => each.innerHTML);
                return tables.length - new Set(tables).size; })()""")
            check.that(same == 0, f"{same} tables are shown again")
            titles = [re.sub(", after .*", "", each) for each in check.tab.value(
                "[...document.querySelectorAll('#view .wide h3')].map((each) => each.innerText)")]
            shown = [rank for title in titles for rank in ranks_of(title)]
            check.that(len(shown) == len(set(shown)) and ("and more" in "".join(titles) or sorted(shown) == sorted(each["rank"] for each in ranks)),
                       f"the tables are of {titles}")
            check.that(not finding["why_no_calls"] or not ranks or squeezed(finding["why_no_calls"]) in squeezed(text) or
                       finding["call_differences"] is not None, "it does not say why calls are missing")
            for choice in first[:12]:
                for side in ("failing", "passing"):
                    for _, source, tag in choice[side]["messages"]:
                        check.that(f"the message with tag {tag} from rank {source}" in text, f"it does not say what was taken where it is {side}")
            for each in (finding["call_differences"] or [])[:4]:
                number = each["failing"][0] if each["failing"] else None
                name = None if number is None else finding["calls"]["functions"][finding["calls"]["list"][number][2]]
                check.that(name is None or squeezed(name) in squeezed(text), "it does not show the call that differs")
        check.words()


def ranks_of(title):
    """"Ranks 0-2, 5": 0, 1, 2, 5."""
    ranks = []
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", title):
        ranks += range(int(first), int(last or first) + 1)
    return ranks


def check_choices(check, data):
    check.open("choices")
    runs = len(data["runs"]["list"])
    check.that(f"{runs} interleaving" in check.text("#view") or runs == 0, "it does not count the interleavings")
    for _ in range(4):  # from branch to branch, down to the leaves
        if check.count(".tree details:not([open]) > summary") == 0:
            break
        before = check.count(".tree details[open]")
        check.tab.click(".tree details:not([open]) > summary")
        check.frame()
        check.that(check.count(".tree details[open] > :nth-child(2)") == before + 1, "a branch does not open")
    cells = check.tab.value("""[...document.querySelectorAll('.coverage td.cell')].map((each) => each.innerText)""")
    sites = [site for site in data["sites"] if site["messages"]]
    if data["processes"] <= 32 and sites:
        expected = ["taken" if rank in site["taken"] else "possible" if rank in site["possible"] else "never"
                    for site in sites for rank in range(data["processes"])]
        check.that(cells == expected, "the table of calls and sources is not what the data says")
    for left in data["left_out"]:
        check.that(squeezed(left["what"]) in squeezed(check.text("#view")), "it does not say what was left out")
    check.words()


def check_waits(check, data):
    check.open("waits")
    for entry in choose(check, data, 2, lambda finding: finding["wait_for"]):
        graph = data[entry["list"]][entry["index"]]["wait_for"]
        check.that(check.count("svg .mark.bad") == len(graph["core"]), "the core is not red")
        overlapping = check.tab.value("""(() => {
            const boxes = [...document.querySelectorAll('[data-wait] rect')].map((each) => each.getBBox());
            return boxes.some((one, i) => boxes.slice(0, i).some((other) => Math.abs(one.x - other.x) < one.width - 1 &&
                Math.abs(one.y - other.y) < one.height - 1)); })()""")
        check.that(not overlapping, "two ranks are drawn upon each other")
        check.that(check.count("svg .wait") >= len(graph["core"]) or graph["shape"] == "end", "waits are not drawn")
        check.that(check.count("svg .wait.bad") >= 1 or graph["shape"] == "end", "no wait of the core is red")
        for rank in check.tab.value("[...document.querySelectorAll('[data-wait]')].map((each) => each.dataset.wait)")[:4]:
            check.tab.click(f"[data-wait='{rank}'] rect")
            node = next((node for node in graph["nodes"] if str(node["rank"]) == rank), None)
            text = squeezed(check.text(".detail"))
            check.that("hasended" in text or data.get("watched") if node is None else squeezed(node["edges"][0]["reason"]) in text,
                       f"a click does not show what rank {rank} waits for")
        check.words()


def check_order(check, data):
    check.open("order")
    order = data["order_of_messages"]
    text = squeezed(check.text("#view"))
    for effect in order["effects"]:
        for variable in effect["variables"]:
            for word in (variable["name"], variable["one"], variable["other"]):
                check.that(word is None or squeezed(word) in text, f"it does not say '{word}'")
            if variable["file"] and sources_of(data, variable):
                check.that(check.count("#view .source .hit") > 0, "it shows no line of the source")
        for taken in effect["taken"]:
            check.that(squeezed(taken["one"]) in text and squeezed(taken["other"]) in text, "it does not say what was taken")
    check.that(order["why_not"] is None or squeezed(order["why_not"]) in text, "it does not say why nothing can be told")
    check.words()


def check_about(check, data):
    check.open("about")
    check.that(check.count("#view tr") >= 10, "there are too few rows")
    text = squeezed(check.text("#view"))
    for word in (data["complete_means"], *data["not_checked"], *data["not_modelled"]):
        check.that(squeezed(word) in text, f"it does not say '{word}'")
    for place in (place for left in data["left_out"] if left["reason"] == "not-modelled" for place in left["places"]):
        check.that(squeezed(f"{place['where']['file'].rpartition('/')[2]}:{place['where']['line']}") in text,
                   f"it does not say where {place['call']} is called")
    check.that(data["error"] is None or squeezed(data["error"]) in text, "it does not say why the sweep ended early")


def check_hang(check, data):
    """Of a job that dampi-watch has watched."""
    check.open("hang")
    text = squeezed(check.text("#view"))
    for finding in data["violations"]:
        for group in finding["groups"]:
            check.that(squeezed(group["name"] + ": " + group["call"]) in text, f"it does not show {group['name']}")
            check.that(squeezed(group["detail"]) in text, f"it does not show what is known of {group['name']}")
        for situation in finding["situations"]:
            check.that(all(squeezed(place["function"]) in text for place in situation["stack"]), "a stack is not shown")
    check.that(all(squeezed(line) in text for line in data["basis"]), "it does not show what it was decided from")


VIEWS = {
    "hang": check_hang,
    "findings": check_findings,
    "interleaving": check_interleaving,
    "difference": check_difference,
    "choices": check_choices,
    "waits": check_waits,
    "order": check_order,
    "about": check_about,
}


def check_file(name, path):
    """What can be seen without a browser."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = DATA.findall(text)
    if len(found) != 1:
        FAILURES.append(f"{name}: {len(found)} elements with data")
        return
    kind, content = found[0]
    if kind == "application/json" and len(content) > 1 << 20:
        FAILURES.append(f"{name}: {len(content)} bytes of data are not compressed")
    if len(text) - len(content) > MOST_WITHOUT_DATA:
        FAILURES.append(f"{name}: {len(text) - len(content)} bytes without the data")
    if "default-src 'none'; script-src 'sha256-" not in text or "unsafe" in text:
        FAILURES.append(f"{name}: another content security policy")


def check_page(driver, name, path):
    check_file(name, path)
    tab = driver.open(path)
    tab.wait("document.getElementById('view').childElementCount > 0", f"{name}: the first view")
    data = tab.value("page.data")
    check = Check(tab, name)
    shown = tab.value("[...document.querySelectorAll('#tabs button')].map((each) => each.id.slice(4))")
    findings = [data[entry["list"]][entry["index"]] for entry in data["worst_first"]]
    expected = [view for view in VIEWS if (view in ("hang", "waits")) and (view == "hang" or findings[0]["wait_for"])] if data.get("watched") else [
        view for view in VIEWS if view != "hang" and (view not in ("interleaving", "difference") or findings)
                and (view != "waits" or any(finding["wait_for"] for finding in findings))
                and (view != "order" or data["order_of_messages"])]
    check.that(shown == expected, f"its views are {shown}")
    for view in shown:
        try:
            VIEWS[view](check, data)
        except browser.Trouble as trouble:
            check.that(False, str(trouble))
    check.view = "at the end"
    check.that(tab.value("typeof pwned") == "undefined", "a name of the program's was executed")
    check.that(check.count("img, iframe, object, embed, link, form") == 0 and check.count("script") == 2,
               "a name of the program's has become markup")
    for fault in tab.faults():
        check.that(False, fault)
    # Last, for it is an error on the console: what got into the page all the same could do nothing.
    tab.value("""(() => { const script = document.createElement('script'); script.textContent = 'pwned = 2';
        document.body.append(script); })()""")
    check.that(tab.value("typeof pwned") == "undefined", "its policy lets another script run")
    fetched = tab.value("fetch('data:,x').then(() => 'fetched', () => 'refused')")
    check.that(fetched == "refused", "its policy lets it fetch something")
    tab.close()
    return data


def sweep(dampi_run, program, work):
    """The page that dampi-run has written, whatever it found."""
    folder = os.path.join(work, os.path.basename(program))
    sums = os.path.basename(program) == "drifting_sum"
    polls = os.path.basename(program) == "priority_server"  # without end
    words = ["-n", "4", "--explain-order"] if sums else ["-n", "3", "--max-interleavings", "60"] if polls else ["-n", "3"]
    command = [dampi_run, *words, "-o", folder, "--quiet", program, "an 'argument'", '"<b>', b"\xff"]
    process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if process.returncode not in (0, 1):
        FAILURES.append(f"{program}: dampi-run ended with {process.returncode}: {process.stdout.decode(errors='replace')}")
    if sums:
        with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
            if not json.load(file)["order_of_messages"]["effects"]:
                FAILURES.append(f"{program}: nothing is said of what the order changes")
    return os.path.join(folder, "report.html")


def check_polls(program, data):
    """What a server that polls for messages of several kinds did wrong can be read from the page."""
    finding = next((each for each in data["violations"] if each["kind"] == "crash"), None)
    if not finding or not finding["difference"]:
        FAILURES.append(f"{program}: no crash is compared with a run that passes")
        return
    choice = finding["difference"]["choices"][0]
    tags = [[tag for _, _, tag in choice[side]["messages"]] for side in ("failing", "passing")]
    if tags != [[2], [1]]:
        FAILURES.append(f"{program}: where it fails, and where it passes, messages with tags {tags} are taken")
    epoch = next(each for each in finding["epochs"] if each["index"] == choice["failing"]["index"])
    if epoch["false_polls"] != ["MPI_Iprobe with tag 1"]:
        FAILURES.append(f"{program}: before that {epoch['false_polls']} answered false")
    if not finding["passing_calls"]:
        FAILURES.append(f"{program}: the calls of the run that passes are missing: {finding['why_no_calls']}")
    polls = [row for row in finding["calls"]["list"] if KINDS[row[1]] == "probe" and row[7] is None and row[9]]
    if not polls:
        FAILURES.append(f"{program}: no poll that answered false is drawn")


def check_opening(dampi_run, program, work):
    """--open hands the page to the browser of the variable, and says what to do where there is none."""
    command = [dampi_run, "-n", "3", "-o", os.path.join(work, "opened"), "--quiet", "--open", program]
    shown = os.path.join(work, "shown.html")
    statuses = []
    refusing = os.path.join(work, "xdg-open")
    with open(refusing, "w", encoding="utf-8") as script:
        script.write("#!/bin/sh\nexit 3\n")
    os.chmod(refusing, 0o755)
    for browsers, path in ((f"/nowhere/browser:/bin/false:cp %s {shown}", os.environ["PATH"]), ("/nowhere/browser", work)):
        process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                 env=dict(os.environ, BROWSER=browsers, PATH=path))
        statuses.append(process.returncode)
    if statuses[0] != statuses[1]:
        FAILURES.append(f"--open changes the exit status: {statuses}")
    said = b"--open could start no browser (/nowhere/browser: No such file or directory; xdg-open: ended with exit status 3)"
    if said not in process.stderr or b"opened/report.html" not in process.stderr:
        FAILURES.append(f"--open without a browser says {process.stderr}")
    deadline = time.monotonic() + browser.LIMIT
    while not (os.path.exists(shown) and os.path.getsize(shown) > 0) and time.monotonic() < deadline:
        time.sleep(0.02)
    if not os.path.exists(shown):
        FAILURES.append("--open has not started the browser of the variable")


def check_index(driver, dampi_run, program, work):
    """The page of several sweeps: it looks like theirs, and leads to them."""
    subprocess.run([dampi_run, "-n", "2,3", "--max-interleavings", "5", "-q", "-o", os.path.join(work, "several"), program],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    tab = driver.open(os.path.join(work, "several", "index.html"))
    check = Check(tab, "index.html")
    tab.wait("document.querySelectorAll('td a').length === 2", "index.html: a link to each sweep")
    for link in tab.value("[...document.querySelectorAll('td a')].map((each) => each.getAttribute('href'))"):
        check.that(link.startswith("./") and os.path.exists(os.path.join(work, "several", link)), f"{link} leads nowhere")
    check.that(tab.value("getComputedStyle(document.body).maxWidth") == "1280px", "it has no style")
    check.that(check.count("td .badge") == 2, "it does not say how each sweep stands")
    for fault in tab.faults():
        check.that(False, fault)
    tab.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--browser", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--samples")
    parser.add_argument("--dampi-run")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    if options.samples:
        subprocess.run([options.samples, options.work], check=True)
        pages = {name[:-5]: os.path.join(options.work, name) for name in sorted(os.listdir(options.work)) if name.endswith(".html")}
    else:
        check_opening(options.dampi_run, options.programs[0], options.work)
        pages = {os.path.basename(program): sweep(options.dampi_run, program, options.work) for program in options.programs}
    with browser.Browser(options.browser) as driver:
        if options.programs:
            check_index(driver, options.dampi_run, options.programs[0], options.work)
        for name, path in pages.items():
            if os.path.exists(path):
                data = check_page(driver, name, path)
                if name == "priority_server":
                    check_polls(name, data)
                runs = "a hang" if data.get("watched") else f"{data['interleavings']['explored']} interleavings"
                print(f"{name}: {runs}, {data['processes']} ranks, "
                      f"{len(data['worst_first'])} findings")
            else:
                FAILURES.append(f"{name}: there is no page")
    for failure in FAILURES:
        print("FAILED: " + failure)
    shutil.rmtree(options.work, ignore_errors=True)
    return 1 if FAILURES or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
