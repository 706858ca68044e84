"""report.html in a real browser: everything is drawn, nothing is fetched, nothing complains."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from simulator.analysis.compare import compare
from simulator.report.html import comparison_html
from simulator.scenario.budget import Budget
from simulator.trace.schema import Kind
from tests.builders import scenario
from tests.run_builder import steady_run

CHROMIUM = Path("/usr/bin/chromium")
ATTACK = "</script><script>document.title='taken'</script><img src=http://example.invalid/x onerror=alert(1)>"

BUDGET = Budget.model_validate({"metrics": {"throughput.steps_per_s": "15 %", "step_time_s.p50": "15 %"}})

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(
        not CHROMIUM.exists() and not os.environ.get("PARAMSCOPE_REQUIRE_BROWSER"),
        reason=f"{CHROMIUM} is missing (apt-get install chromium); PARAMSCOPE_REQUIRE_BROWSER=1 makes that a failure",
    ),
]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report of which every text that a file can bring is an attack."""
    made = scenario(last_step=40, description=ATTACK)
    real = steady_run(Kind.REAL, made=made, complete=False, failure=ATTACK, notes=(ATTACK,))
    path = tmp_path_factory.mktemp("report") / "report.html"
    # 100 and 125 steps/s: beyond 15 %.
    path.write_text(comparison_html(compare(real, steady_run(step_ms=8), BUDGET)))
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield found
        found.close()


def wait_until_drawn(page: Page) -> None:
    """Wait for all six figures; by locator, since the page forbids eval, with which wait_for_function asks again."""
    expect(page.locator(".plotly-graph-div:has(.main-svg)")).to_have_count(6)


@pytest.mark.parametrize("width", [1280, 420])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_is_drawn_offline_and_quietly(browser: Browser, report: Path, width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme="dark")
    if scheme == "light":
        page.emulate_media(color_scheme="light")
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report.as_uri())
    wait_until_drawn(page)
    page.wait_for_timeout(500)
    assert said == []
    assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [report.as_uri()]
    assert page.title() == "built: real and simulated: fail"
    assert page.evaluate("document.documentElement.scrollWidth") <= width  # nothing sticks out
    # Text and background follow the scheme: light text on dark, dark on light.
    light = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert light == (scheme == "light")
    page.close()


@pytest.fixture
def opened(browser: Browser, report: Path) -> Iterator[Page]:
    """The report on a phone, drawn."""
    page = browser.new_page(viewport={"width": 420, "height": 900})
    page.goto(report.as_uri())
    wait_until_drawn(page)
    yield page
    page.close()


def test_no_button_sends_a_figure_anywhere(opened: Page) -> None:
    titles = opened.eval_on_selector_all(".modebar-btn", "buttons => buttons.map(b => b.dataset.title)")
    assert "Download plot as a PNG" in titles
    assert not [
        title for title in titles if any(w in str(title).lower() for w in ("cloud", "studio", "edit", "plotly"))
    ]


def test_a_figure_can_be_saved_although_nothing_may_be_loaded(opened: Page) -> None:
    figure = opened.locator(".plotly-graph-div").first
    figure.scroll_into_view_if_needed()
    figure.hover()
    with opened.expect_download(timeout=10_000) as download:
        figure.locator('[data-title="Download plot as a PNG"]').click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


def test_on_a_phone_every_verdict_is_in_view_and_the_table_shows_that_it_goes_on(opened: Page) -> None:
    boxes = [cell.bounding_box() for cell in opened.locator("td.fail").all()]
    assert len(boxes) == 2
    assert all(box is not None and box["x"] + box["width"] <= 420 for box in boxes)
    table = opened.locator(".scroll").first
    assert table.evaluate("box => box.scrollWidth > box.clientWidth")
    # The hint is drawn behind the table: a shadow that stays at the edge, under a cover that scrolls along.
    assert table.evaluate("box => getComputedStyle(box).backgroundAttachment") == "local, local, scroll, scroll"
    assert table.evaluate("box => { box.focus(); return document.activeElement === box; }")
    opened.keyboard.press("ArrowRight")
    expect(table).not_to_have_js_property("scrollLeft", 0)
