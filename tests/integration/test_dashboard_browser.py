"""The dashboard in a real browser, served as a user serves it."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from simulator.analysis.result import result
from simulator.run import simulate
from simulator.scenario.loader import loads_scenario
from simulator.trace.folder import Run, RunInfo, RunWriter
from simulator.trace.schema import KEPT, Kind, TraceLevel

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SCENARIO = """\
name: browser
cluster: {ps: {tasks: 2}, worker: {tasks: 2}}
workload:
  model: digits-mlp
  compute: {forward: 10 ms, backward: 20 ms, distribution: {kind: lognormal, cv: 0.05}}
training: {last_step: 120}
measure: {replications: 1}
"""
SAMPLED_EVERY = 6

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(
        not CHROMIUM.exists() and not os.environ.get("PARAMSCOPE_REQUIRE_BROWSER"),
        reason=f"{CHROMIUM} is missing (apt-get install chromium); PARAMSCOPE_REQUIRE_BROWSER=1 makes that a failure",
    ),
]


def write(folder: Path, run: Run) -> None:
    """Write *run* to *folder*."""
    writer = RunWriter(folder, run.info, run.scenario)
    writer.finish(run.info, {name: run.table(name) for name in KEPT[run.info.trace]}, {})


def as_if_real(run: Run) -> Run:
    """Return *run* as a real one would look: spans of a sample of the steps, and fewer lanes."""
    steps, spans = run.table("steps"), run.table("spans")
    traced = steps["local_step"].to_numpy() % SAMPLED_EVERY == 3
    steps = steps.set_column(steps.schema.get_field_index("traced"), "traced", pa.array(traced))
    lane = np.array(spans["lane"].to_pylist())
    spans = spans.filter((spans["step"].to_numpy() % SAMPLED_EVERY == 3) & (lane != "rpc") & (lane != "client"))
    info = RunInfo(
        kind=Kind.REAL, complete=True, scenario=run.info.scenario, seed=0, replications=1, trace=TraceLevel.FULL
    )
    real = Run(info=info, scenario=run.scenario, given={**run.given, "steps": steps, "spans": spans})
    return replace(real, info=replace(info, summary=result(real)))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated run, one that looks real, a broken one and one that never ended."""
    folder = tmp_path_factory.mktemp("runs")
    run = simulate(loads_scenario(SCENARIO))
    write(folder / "sim", run)
    write(folder / "group" / "real", as_if_real(run))
    write(folder / "broken", run)
    (folder / "broken" / "run.json").write_text("{")
    RunWriter(folder / "begun", replace(run.info, complete=False, summary=None), run.scenario)
    return folder


@pytest.fixture(scope="module")
def address(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard of *runs*, started as a process of its own and ended with Ctrl-C."""
    log = tmp_path_factory.mktemp("log") / "stderr"
    with log.open("w") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "dashboard", str(runs), "--port", "0"], stdout=subprocess.DEVNULL, stderr=said
        )
    try:
        yield _address(process, log)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, 130)
        assert len(log.read_text().splitlines()) == 1, "one line, no traceback:\n" + log.read_text()
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    limit = time.monotonic() + 60
    while True:
        found = re.search(r"http://127\.0\.0\.1:\d+", log.read_text())
        if found:
            return found[0]
        assert process.poll() is None, f"ended with {process.returncode}: {log.read_text()}"
        assert time.monotonic() < limit, "the dashboard did not start"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Tab:
    """A page, and what it has complained about and asked for."""

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.foreign.append(request.url)

    def open(self, path: str) -> Page:
        """Go to *path* of the dashboard."""
        self.page.goto(self.address + path)
        return self.page

    def bars(self, part: str, which: int | str) -> int:
        """Return how many bars a graph shows."""
        return self.page.locator(f"{_graph(part, which)} .bars .point").count()


Opener = Callable[..., Tab]


@pytest.fixture
def tab(browser: Browser, address: str) -> Iterator[Opener]:
    """Opens tabs; in the end none of them has complained or asked anybody else for anything."""
    opened: list[Tab] = []

    def opens(**context: Any) -> Tab:
        opened.append(Tab(page=browser.new_context(**context).new_page(), address=address))
        return opened[-1]

    yield opens
    for made in opened:
        made.page.context.close()
        assert made.complaints == []
        assert made.foreign == []


def _graph(part: str, which: int | str) -> str:
    """Return the selector of a graph of the run page (Dash writes dict ids as JSON, keys sorted)."""
    shown = f'"{which}"' if isinstance(which, str) else which
    return f"""[id='{{"part":"{part}","which":{shown}}}']"""


def _drawn(made: Tab, part: str, which: int | str) -> None:
    expect(made.page.locator(f"{_graph(part, which)} .bars .point").first).to_be_attached(timeout=30_000)


def test_the_list_shows_every_run_and_opens_two_of_them(tab: Opener) -> None:
    made = tab()
    page = made.open("/")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(4, timeout=30_000)
    expect(rows.filter(has_text="broken")).to_contain_text("cannot be read")
    expect(rows.filter(has_text="begun")).to_contain_text("no")
    page.get_by_label("choose sim").check()
    page.get_by_label("choose group/real").check()
    page.get_by_role("link", name="Compare sim with group/real").click()
    expect(page).to_have_url(re.compile(r"/run/sim\?vs=group(%2F|/)real$"))
    _drawn(made, "timeline", 1)


def test_two_runs_are_drawn_side_by_side(tab: Opener) -> None:
    made = tab(viewport={"width": 1280, "height": 900})
    page = made.open("/run/sim?vs=group/real")
    for part, which in (("timeline", 0), ("timeline", 1), ("shares", "staleness"), ("shares", "phases")):
        _drawn(made, part, which)
    # Simulated: spans of one step and of what runs beside it; real: fewer lanes, so fewer bars.
    assert made.bars("timeline", 0) > made.bars("timeline", 1) > 20
    # Two kinds, three or more staleness values between them, each a bar.
    assert made.bars("shares", "staleness") >= 4
    left, right = (page.locator(_graph("timeline", i)).bounding_box() for i in (0, 1))
    assert left is not None
    assert right is not None
    assert left["y"] == right["y"]
    assert right["x"] >= left["x"] + left["width"]
    expect(page.get_by_text(re.compile(r"Predicted .* steps/s, measured"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"\d+ of \d+ steps were traced in detail"))).to_be_visible()
    buttons = page.locator(".modebar-btn")
    titles = [str(buttons.nth(i).get_attribute("data-title")) for i in range(buttons.count())]
    assert titles
    assert not [title for title in titles if re.search("cloud|share|chart studio", title, re.IGNORECASE)]


def test_the_moment_moves_with_the_buttons_and_stops_at_the_ends(tab: Opener) -> None:
    made = tab()
    page = made.open("/run/group/real")
    caption = page.locator("""[id='{"part":"timeline-caption","which":0}']""")
    expect(caption).to_contain_text("of worker 0", timeout=30_000)
    steps = [_step(caption.inner_text())]
    for _ in range(2):
        page.get_by_role("button", name="later").click()
        expect(caption).not_to_contain_text(f"Step {steps[-1]} of")
        steps.append(_step(caption.inner_text()))
    # Every sixth step has spans, and nothing lies between.
    assert np.diff(steps).tolist() == [SAMPLED_EVERY, SAMPLED_EVERY]
    page.get_by_role("slider").press("Home")
    expect(caption).to_contain_text("Step 3 of worker 0")
    page.get_by_role("button", name="earlier").click()
    page.wait_for_timeout(500)
    expect(caption).to_contain_text("Step 3 of worker 0")


def _step(caption: str) -> int:
    found = re.search(r"Step (\d+) of", caption)
    assert found, caption
    return int(found[1])


def test_the_second_run_is_chosen_and_left_out_with_the_picker(tab: Opener) -> None:
    made = tab()
    page = made.open("/run/sim")
    _drawn(made, "timeline", 0)
    page.get_by_label("Compare with", exact=True).first.click()
    options = page.get_by_role("option")
    expect(options.first).to_contain_text("group/real")
    expect(options.first).to_contain_text("suggested")
    options.first.click()
    expect(page).to_have_url(re.compile("vs=group"))
    _drawn(made, "timeline", 1)
    page.get_by_label("show one run only").click()
    expect(page.locator(_graph("timeline", 1))).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/run/sim$"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_and_its_figures_follow_the_colours_of_the_system_and_the_switch(tab: Opener, scheme: str) -> None:
    made = tab(color_scheme=scheme)
    page = made.open("/run/sim")
    _drawn(made, "timeline", 0)
    assert _is_light(made) == (scheme == "light")
    page.get_by_label("switch between light and dark").click()
    other = "dark" if scheme == "light" else "light"
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", other)
    limit = time.monotonic() + 10
    while not _ink_is_of(page, other) and time.monotonic() < limit:  # the figures are drawn again
        page.wait_for_timeout(100)
    assert _is_light(made) == (other == "light")


def _ink(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.querySelector('.xtick text')).fill"))


def _ink_is_of(page: Page, scheme: str) -> bool:
    dark_ink = sum(int(n) for n in re.findall(r"\d+", _ink(page))[:3]) < 3 * 128
    return dark_ink == (scheme == "light")


def _is_light(made: Tab) -> bool:
    """Tell whether the page is light; fail when the figures' text is not to be read on it."""
    body = str(made.page.evaluate("getComputedStyle(document.body).backgroundColor"))
    light = sum(int(n) for n in re.findall(r"\d+", body)[:3]) > 3 * 128
    assert _ink_is_of(made.page, "light" if light else "dark"), f"text {_ink(made.page)} on {body}"
    return light


@pytest.mark.parametrize("path", ["/", "/run/sim", "/run/sim?vs=group/real"])
def test_a_phone_shows_the_page_without_scrolling_sideways(tab: Opener, path: str) -> None:
    made = tab(viewport={"width": 420, "height": 900})
    page = made.open(path)
    expect(page.locator("main h1").first).to_be_visible(timeout=30_000)
    if path != "/":
        _drawn(made, "timeline", 0)
        _drawn(made, "shares", "phases")
    assert page.evaluate("document.documentElement.scrollWidth") <= 420


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/run/nope", "there is no run 'nope'"),
        ("/run/..%2f..%2fetc", "is not the name of a run"),
        ("/run/broken", "not a run's run.json"),
        ("/run/begun", "This run is incomplete"),
        ("/run/sim?vs=nope", "The second run cannot be shown"),
        ("/somewhere", "There is no such page"),
    ],
)
def test_what_cannot_be_shown_is_said_in_words(tab: Opener, path: str, text: str) -> None:
    page = tab().open(path)
    expect(page.locator("main")).to_contain_text(text, timeout=30_000)
    expect(page.locator("html")).to_have_attribute("lang", "en")
