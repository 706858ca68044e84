"""Layouts as JSON, callbacks as functions."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plotly.utils
import pytest

from dashboard import ids
from dashboard.app import create_app
from dashboard.pages import drawing, sentences, shell
from dashboard.pages.run import shown, suggestion
from dashboard.pages.runs import CHOOSE, open_link
from dashboard.store import RunStore
from simulator.trace.schema import Kind, TraceLevel
from tests.unit.dashboard.dashboard_runs import CHIEF, run_of, scenario, simulated, step, three_steps, write

NOT_FOUND = "This run cannot be shown"


def text_of(component: Any) -> str:
    """Return a layout as JSON text, as the browser gets it."""
    return json.dumps(json.loads(plotly.utils.PlotlyJSONEncoder().encode(component)), ensure_ascii=False)


def walk(node: Any) -> Iterator[dict[str, Any]]:
    """Return every component of a layout."""
    if isinstance(node, list):
        for child in node:
            yield from walk(child)
    elif isinstance(node, dict):
        if "type" in node and "props" in node:
            yield node
        for value in node.values():
            yield from walk(value)


def components(layout: Any, type_: str) -> list[dict[str, Any]]:
    return [c["props"] for c in walk(json.loads(text_of(layout))) if c["type"] == type_]


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    """Two runs of one scenario, simulated and real, and one of another."""
    for age, (name, run) in enumerate(
        {
            "sim": three_steps(),
            "deep/real": three_steps(Kind.REAL),
            "else": run_of([step(CHIEF, 0, 0, 5)], made=scenario("another")),
        }.items()
    ):
        os.utime(write(tmp_path / name, run) / "run.json", (1000 - age, 1000 - age))
    return RunStore(tmp_path)


# -- addresses -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("id_", ["a", "group/a b", "ü/100%", "a?b#c"])
def test_the_address_of_a_run_names_it(id_: str) -> None:
    assert ids.run_of(ids.run_path(id_)) == id_
    assert ids.versus_of("?" + ids.run_path("x", id_).partition("?")[2]) == id_


def test_an_address_without_second_run_names_none() -> None:
    assert ids.versus_of("") is None
    assert ids.versus_of(None) is None
    assert ids.versus_of("?other=1") is None


@pytest.mark.parametrize(
    "path",
    [
        "/run/nope",
        "/run/",
        "/run/../../etc",
        "/run/..%2f..%2fetc%2fpasswd",
        "/run/%00",
        "/run/a%5C..",
        "/run/a/b/c/d/e",
    ],
)
def test_an_address_of_no_run_gives_a_clear_page(store: RunStore, path: str) -> None:
    text = text_of(shell.page(store, path, ""))
    assert NOT_FOUND in text
    assert "choose one from the list" in text


def test_an_address_of_no_page_gives_a_clear_page(store: RunStore) -> None:
    assert "There is no such page" in text_of(shell.page(store, "/nowhere", None))


# -- list ----------------------------------------------------------------------------------------------


def test_the_list_links_every_run(store: RunStore) -> None:
    page = shell.page(store, "/", "")
    links = [a["href"] for a in components(page, "Anchor")]
    assert {"/run/sim", "/run/deep/real", "/run/else"} <= set(links)
    assert "1 × 1" in text_of(page)


def test_the_list_shows_a_broken_run_with_its_error(store: RunStore) -> None:
    (store.root / "sim" / "run.json").write_text("{")
    text = text_of(shell.page(store, "/", ""))
    assert "cannot be read" in text
    assert "/run/deep/real" in text
    assert "/run/sim" not in text


def test_the_list_shows_a_run_with_a_broken_summary_as_broken(store: RunStore) -> None:
    path = store.root / "sim" / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "summary": {"throughput": 1}}))
    text = text_of(shell.page(store, "/", ""))
    assert "the summary in run.json is not complete" in text


def test_an_empty_folder_says_how_to_make_a_run(tmp_path: Path) -> None:
    text = text_of(shell.page(RunStore(tmp_path), "/", ""))
    assert f"paramscope simulate scenarios/classic-2ps-2workers.yaml --out {tmp_path / 'first'}" in text


def test_ticked_runs_are_opened_together() -> None:
    assert open_link([]) == ("/", CHOOSE, "action off")
    assert open_link(["a/b"])[0] == "/run/a/b"
    assert open_link(["a", "b c"])[0] == "/run/a?vs=b+c"
    assert "the first two" in open_link(["a", "b", "c"])[1]


# -- run -----------------------------------------------------------------------------------------------


def test_one_run_is_told_in_words_and_numbers(store: RunStore) -> None:
    text = text_of(shell.page(store, "/run/sim", ""))
    # 10 ms a step, of which 7 forward and backward, 2 pull and push, 1 wait.
    assert "the cluster trains 100.0 steps/s" in text
    assert "70% of its step computing, 20% moving variables and gradients, 10% waiting" in text


def test_one_run_suggests_the_other_kind_of_the_same_scenario(store: RunStore) -> None:
    page = shell.page(store, "/run/sim", "")
    assert "/run/sim?vs=deep%2Freal" in [a["href"] for a in components(page, "Anchor")]
    options = components(page, "Select")[0]["data"]
    assert options[0]["value"] == "deep/real"
    assert "suggested" in options[0]["label"]
    assert {o["value"] for o in options} == {"deep/real", "else"}


def test_nothing_is_suggested_when_no_run_fits(store: RunStore) -> None:
    (only,) = shown(store, ["else"])
    assert suggestion(only, [e for e in store.entries() if e.id != "else"]) is None


def test_two_runs_are_shown_side_by_side(store: RunStore) -> None:
    page = shell.page(store, "/run/sim", "?vs=deep%2Freal")
    timelines = [g for g in components(page, "Graph") if g["id"]["part"] == ids.TIMELINE]
    assert [g["id"]["which"] for g in timelines] == [0, 1]
    assert "Predicted 100.0 steps/s, measured 100.0: the prediction is right." in text_of(page)


def test_every_graph_has_a_sentence_for_screen_readers_and_no_cloud(store: RunStore) -> None:
    page = shell.page(store, "/run/sim", "?vs=deep%2Freal")
    graphs = components(page, "Graph")
    assert len(graphs) == 4
    assert all(g["config"]["showSendToCloud"] is False for g in graphs)
    described = [d for d in components(page, "Div") if d.get("role") == "figure"]
    assert len(described) == 4
    assert all(len(d["aria-label"]) > 20 for d in described)


def test_an_unknown_second_run_leaves_the_first_one_and_says_so(store: RunStore) -> None:
    text = text_of(shell.page(store, "/run/sim", "?vs=../../etc"))
    assert "The second run cannot be shown" in text
    assert "the cluster trains" in text


def test_runs_of_different_scenarios_are_shown_with_a_warning(store: RunStore) -> None:
    assert "different scenarios" in text_of(shell.page(store, "/run/sim", "?vs=else"))


def test_an_incomplete_run_says_why(store: RunStore) -> None:
    write(store.root / "dead", run_of(complete=False, failure="ps:0 died (signal 9)"))
    text = text_of(shell.page(store, "/run/dead", ""))
    assert "This run is incomplete" in text
    assert "ps:0 died (signal 9)" in text
    assert "No step was measured" in text


@pytest.mark.parametrize("level", [TraceLevel.NONE, TraceLevel.STEPS])
def test_a_run_without_spans_shows_what_it_has_and_how_to_get_the_rest(store: RunStore, level: TraceLevel) -> None:
    run = simulated(last_step=40)
    changed = type(run)(
        info=type(run.info)(**{**_fields(run.info), "trace": level}), scenario=run.scenario, given=run.given
    )
    write(store.root / "bare", changed)
    page = shell.page(store, "/run/bare", "")
    assert f"no timeline was kept (--trace {level.value})" in text_of(page)
    assert "--trace full" in text_of(page)
    parts = [g["id"]["which"] for g in components(page, "Graph")]
    assert parts == [ids.STALENESS, ids.PHASES]


@pytest.mark.parametrize("table", ["steps", "spans"])
def test_a_broken_table_gives_a_clear_page(store: RunStore, table: str) -> None:
    (store.root / "sim" / f"{table}.parquet").write_text("x")
    assert "not a table of a run folder" in text_of(shell.page(store, "/run/sim", ""))


def test_a_newer_schema_gives_a_clear_page(store: RunStore) -> None:
    path = store.root / "sim" / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "schema_version": 99}))
    assert "newer paramscope" in text_of(shell.page(store, "/run/sim", ""))


def _fields(info: Any) -> dict[str, Any]:
    return {name: getattr(info, name) for name in info.__dataclass_fields__}


# -- callbacks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", [-5, 0, 2, 99])
def test_both_timelines_have_the_same_rows_and_length(store: RunStore, at: int) -> None:
    (left, caption), (right, _) = drawing.timelines(store, ["sim", "deep/real"], [0, 1], at, "light")
    assert left.layout.xaxis.range == right.layout.xaxis.range
    assert len(left.layout.yaxis.ticktext) == len(right.layout.yaxis.ticktext)
    assert "worker 0" in caption


def test_a_run_that_went_away_leaves_a_note_instead_of_an_error(store: RunStore) -> None:
    (store.root / "sim" / "run.json").unlink()
    ((figure, caption),) = drawing.timelines(store, ["sim"], [0], 0, "light")
    assert "there is no run 'sim'" in caption
    assert len(figure.data) == 0
    assert len(drawing.share_figures(store, ["sim"], [ids.STALENESS, ids.PHASES], "dark")) == 2


def test_a_run_that_lost_its_spans_leaves_a_note_instead_of_an_error(store: RunStore) -> None:
    (store.root / "sim" / "spans.parquet").unlink()
    ((_, caption),) = drawing.timelines(store, ["sim"], [0], 0, "light")
    assert "load the page again" in caption


def test_the_app_answers_the_browser_and_refuses_foreign_names(store: RunStore) -> None:
    client = create_app(store, trusted_hosts=["127.0.0.1"]).server.test_client()
    good = client.get("/run/sim", headers={"Host": "127.0.0.1:8050"})
    assert good.status_code == 200
    assert '<html lang="en">' in good.text
    assert client.get("/_dash-layout", headers={"Host": "evil.example"}).status_code == 400
    assert client.get("/assets/..%2f..%2fpyproject.toml", headers={"Host": "127.0.0.1"}).status_code != 200


def test_two_apps_in_one_process_show_each_its_own_runs(store: RunStore, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    apps = [create_app(store), create_app(RunStore(tmp_path / "other"))]
    first, second = (_page_of(app, "/") for app in apps)
    assert "/run/sim" in first
    assert "No run yet" in second


def _page_of(app: Any, path: str) -> str:
    """Return the page as the browser gets it."""
    where = [
        {"id": ids.LOCATION, "property": name, "value": value} for name, value in (("pathname", path), ("search", ""))
    ]
    asked = {
        "output": f"{ids.PAGE}.children",
        "outputs": {"id": ids.PAGE, "property": "children"},
        "inputs": where,
        "changedPropIds": [f"{ids.LOCATION}.pathname"],
    }
    answer = app.server.test_client().post("/_dash-update-component", json=asked)
    assert answer.status_code == 200
    return text_of(answer.json)


# -- words ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.0234, "0.0234"), (0.78, "0.78"), (59.91, "59.9"), (1000.4, "1,000"), (12_345.6, "12,346")],
)
def test_numbers_are_written_with_few_digits(value: float, text: str) -> None:
    assert sentences.number(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-3, "0 s ago"),
        (59, "59 s ago"),
        (600, "10 min ago"),
        (7200, "2 h ago"),
        (40 * 3600, "1 day ago"),
        (10**6, "11 days ago"),
    ],
)
def test_ages_are_written_in_whole_units(seconds: float, text: str) -> None:
    assert sentences.age(seconds) == text
