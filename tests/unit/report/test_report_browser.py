"""report.html in a real browser: everything is drawn, nothing is fetched, nothing complains."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from simulator.analysis.compare import compare
from simulator.report.html import comparison_html
from simulator.trace.schema import Kind
from tests.builders import scenario
from tests.run_builder import steady_run

CHROMIUM = Path("/usr/bin/chromium")
ATTACK = "</script><script>document.title='taken'</script><img src=http://example.invalid/x onerror=alert(1)>"

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
    path.write_text(comparison_html(compare(real, steady_run(step_ms=8))))
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield found
        found.close()


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
    page.wait_for_function("document.querySelectorAll('.plotly-graph-div .main-svg').length >= 6")
    page.wait_for_timeout(500)
    assert said == []
    assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [report.as_uri()]
    assert page.title() == "built: real and simulated: info"
    assert page.evaluate("document.documentElement.scrollWidth") <= width  # nothing sticks out
    # Text and background follow the scheme: light text on dark, dark on light.
    light = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert light == (scheme == "light")
    page.close()
